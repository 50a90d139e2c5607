-- a search is beside the filter under the row conditions
-- $1 = "1"
-- $2 = "(garten:*BA | garten)"
-- $3 = "(garten:*BA | garten)"
-- $4 = ""
-- $5 = "garten"

SELECT count(*)::text AS "count"
FROM "t"."article" t0
WHERE t0."id" <> $1::integer
  AND (
    (
      (
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
                    to_tsquery('pg_catalog.simple', $3::text)
                    || to_tsquery('pg_catalog.german', $3::text)
                  )
                )
                AND numnode(to_tsquery('pg_catalog.simple', $4::text)) > 0
                AND numnode(to_tsquery('pg_catalog.german', $4::text)) > 0
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
                        to_tsquery('pg_catalog.simple', $4::text)
                        || to_tsquery('pg_catalog.german', $4::text)
                      )
                    )
                    OR (
                      plain_text(t0."title") %> $5::text
                      AND (
                        SELECT bool_and(word <% plain_text(t0."title"))
                        FROM unnest(string_to_array($5::text, ' ')) word
                      )
                    )
                  )
                  OFFSET (
                    SELECT least(10000, reltuples / 100)::bigint
                    FROM pg_class
                    WHERE oid = '"t"."article"'::regclass
                  )
                ) THEN (
                  to_tsquery('pg_catalog.simple', $4::text)
                  || to_tsquery('pg_catalog.german', $4::text)
                )
              ELSE (
                to_tsquery('pg_catalog.simple', $2::text)
                || to_tsquery('pg_catalog.german', $2::text)
              )
            END
          )
          OR (
            plain_text(t0."title") %> $5::text
            AND (
              SELECT bool_and(word <% plain_text(t0."title"))
              FROM unnest(string_to_array($5::text, ' ')) word
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
                  to_tsquery('pg_catalog.simple', $3::text)
                  || to_tsquery('pg_catalog.german', $3::text)
                )
              )
              AND numnode(to_tsquery('pg_catalog.simple', $4::text)) > 0
              AND numnode(to_tsquery('pg_catalog.german', $4::text)) > 0
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
                      to_tsquery('pg_catalog.simple', $4::text)
                      || to_tsquery('pg_catalog.german', $4::text)
                    )
                  )
                  OR (
                    plain_text(t0."title") %> $5::text
                    AND (
                      SELECT bool_and(word <% plain_text(t0."title"))
                      FROM unnest(string_to_array($5::text, ' ')) word
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
              to_tsquery('pg_catalog.simple', $2::text) || to_tsquery('pg_catalog.german', $2::text)
            )
            OR (
              plain_text(t0."title") %> $5::text
              AND (
                SELECT bool_and(word <% plain_text(t0."title"))
                FROM unnest(string_to_array($5::text, ' ')) word
              )
            )
          )
          ELSE TRUE
        END
      )
    )
    AND t0."note" IS NOT NULL
  )
