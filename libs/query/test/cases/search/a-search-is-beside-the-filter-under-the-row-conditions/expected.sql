-- a search is beside the filter under the row conditions
-- $1 = "1"
-- $2 = "(garten:*BA | garten)"
-- $3 = "garten"

SELECT count(*)::text AS "count"
FROM "t"."article" t0
WHERE t0."id" <> $1::integer
  AND (
    (
      (
        (
          setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
          || '.:1'::tsvector
          || setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A')
          || '.:1'::tsvector
          || setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D')
        ) @@ (
          to_tsquery('pg_catalog.simple', $2::text) || to_tsquery('pg_catalog.german', $2::text)
        )
        OR (
          plain_text(t0."title") %> $3::text
          AND (
            SELECT bool_and(word <% plain_text(t0."title"))
            FROM unnest(string_to_array($3::text, ' ')) word
          )
        )
      )
    )
    AND t0."note" IS NOT NULL
  )
