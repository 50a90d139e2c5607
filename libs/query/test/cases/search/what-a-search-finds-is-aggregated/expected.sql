-- what a search finds is aggregated
-- $1 = "(garten:*BA | garten)"
-- $2 = "(garten:*BA | garten)"
-- $3 = ""
-- $4 = "garten"
-- $5 = 100
-- $6 = 0

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
            (
              setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
              || '.:1'::tsvector
              || setweight(
                to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
              )
              || '.:1'::tsvector
              || setweight(
                to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D'
              )
            ) @@ (
              SELECT CASE
                WHEN (
                    SELECT count(*) >= 10
                    FROM (SELECT * FROM "t"."article" LIMIT 40) t0
                    WHERE (
                      setweight(
                        to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B'
                      )
                      || '.:1'::tsvector
                      || setweight(
                        to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
                      )
                      || '.:1'::tsvector
                      || setweight(
                        to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D'
                      )
                    ) @@ (
                      to_tsquery('pg_catalog.simple', $2::text)
                      || to_tsquery('pg_catalog.german', $2::text)
                    )
                  )
                  AND numnode(to_tsquery('pg_catalog.simple', $3::text)) > 0
                  AND numnode(to_tsquery('pg_catalog.german', $3::text)) > 0
                  AND NOT EXISTS (
                    SELECT *
                    FROM "t"."article" t0
                    WHERE (
                      (
                        setweight(
                          to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B'
                        )
                        || '.:1'::tsvector
                        || setweight(
                          to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')),
                          'A'
                        )
                        || '.:1'::tsvector
                        || setweight(
                          to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D'
                        )
                      ) @@ (
                        SELECT (
                          to_tsquery('pg_catalog.simple', $3::text)
                          || to_tsquery('pg_catalog.german', $3::text)
                        )
                      )
                      OR (
                        plain_text(t0."title") %> $4::text
                        AND (
                          SELECT bool_and(word <% plain_text(t0."title"))
                          FROM unnest(string_to_array($4::text, ' ')) word
                        )
                      )
                    )
                    OFFSET (
                      SELECT least(10000, reltuples / 100)::bigint
                      FROM pg_class
                      WHERE oid = '"t"."article"'::regclass
                    )
                  ) THEN (
                    to_tsquery('pg_catalog.simple', $3::text)
                    || to_tsquery('pg_catalog.german', $3::text)
                  )
                ELSE (
                  to_tsquery('pg_catalog.simple', $1::text)
                  || to_tsquery('pg_catalog.german', $1::text)
                )
              END
            )
            OR (
              plain_text(t0."title") %> $4::text
              AND (
                SELECT bool_and(word <% plain_text(t0."title"))
                FROM unnest(string_to_array($4::text, ' ')) word
              )
            )
          )
          AND CASE
            WHEN (
              SELECT (
                  SELECT count(*) >= 10
                  FROM (SELECT * FROM "t"."article" LIMIT 40) t0
                  WHERE (
                    setweight(
                      to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B'
                    )
                    || '.:1'::tsvector
                    || setweight(
                      to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
                    )
                    || '.:1'::tsvector
                    || setweight(
                      to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D'
                    )
                  ) @@ (
                    to_tsquery('pg_catalog.simple', $2::text)
                    || to_tsquery('pg_catalog.german', $2::text)
                  )
                )
                AND numnode(to_tsquery('pg_catalog.simple', $3::text)) > 0
                AND numnode(to_tsquery('pg_catalog.german', $3::text)) > 0
                AND NOT EXISTS (
                  SELECT *
                  FROM "t"."article" t0
                  WHERE (
                    (
                      setweight(
                        to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B'
                      )
                      || '.:1'::tsvector
                      || setweight(
                        to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
                      )
                      || '.:1'::tsvector
                      || setweight(
                        to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D'
                      )
                    ) @@ (
                      SELECT (
                        to_tsquery('pg_catalog.simple', $3::text)
                        || to_tsquery('pg_catalog.german', $3::text)
                      )
                    )
                    OR (
                      plain_text(t0."title") %> $4::text
                      AND (
                        SELECT bool_and(word <% plain_text(t0."title"))
                        FROM unnest(string_to_array($4::text, ' ')) word
                      )
                    )
                  )
                  OFFSET (
                    SELECT least(10000, reltuples / 100)::bigint
                    FROM pg_class
                    WHERE oid = '"t"."article"'::regclass
                  )
                )
            ) THEN (
              (
                setweight(
                  to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B'
                )
                || '.:1'::tsvector
                || setweight(
                  to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
                )
                || '.:1'::tsvector
                || setweight(
                  to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D'
                )
              ) @@ (
                to_tsquery('pg_catalog.simple', $1::text)
                || to_tsquery('pg_catalog.german', $1::text)
              )
              OR (
                plain_text(t0."title") %> $4::text
                AND (
                  SELECT bool_and(word <% plain_text(t0."title"))
                  FROM unnest(string_to_array($4::text, ' ')) word
                )
              )
            )
            ELSE TRUE
          END
        )
      )
      GROUP BY t0."note"
    ) selected
    LIMIT $5::bigint
    OFFSET $6::bigint
  ) page
) root
