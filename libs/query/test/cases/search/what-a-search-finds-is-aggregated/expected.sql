-- what a search finds is aggregated
-- $1 = "(garten:*BA | garten)"
-- $2 = "garten"
-- $3 = 100
-- $4 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT page."c0" AS "note", page."c1" AS "n"
  FROM (
    SELECT selected."c0" AS "c0", selected."c1" AS "c1"
    FROM (
      SELECT t0."note" AS "c0", count(*) AS "c1"
      FROM "t"."article" t0
      WHERE (
        (
          (
            setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
            || '.:1'::tsvector
            || setweight(
              to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
            )
            || '.:1'::tsvector
            || setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D')
          ) @@ (
            to_tsquery('pg_catalog.simple', $1::text) || to_tsquery('pg_catalog.german', $1::text)
          )
          OR (
            plain_text(t0."title") %> $2::text
            AND (
              SELECT bool_and(word <% plain_text(t0."title"))
              FROM unnest(string_to_array($2::text, ' ')) word
            )
          )
        )
      )
      GROUP BY t0."note"
    ) selected
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
