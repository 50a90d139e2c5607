-- hidden attributes match nothing and have no rank
-- $1 = 10
-- $2 = 0
-- $3 = "haus"
-- $4 = "haus garten"
-- $5 = "(garten:*BA | garten)"
-- $6 = "haus & (garten:*)"
-- $7 = "haus garten"
-- $8 = "haus & (garten:*)"
-- $9 = "haus & (garten:*BA | garten)"

SELECT
  concat(
    '{"_entityName":"t_Article"',
    ',"_instanceName":'
    || to_json(('t_Article'::text || '-'::text || COALESCE(page."id"::text, '')))::text,
    CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
    to_json(page."id"),
    CASE WHEN page."code" IS NOT NULL THEN ',"code":' END,
    to_json(page."code"),
    CASE WHEN page."title" IS NOT NULL THEN ',"title":' END,
    to_json(page."title"),
    CASE WHEN page."note" IS NOT NULL THEN ',"note":' END,
    to_json(page."note"),
    '}'
  ) AS "json",
  page."rank"::text AS "position_0",
  page."id"::text AS "position_1"
FROM (
  SELECT *
  FROM (
    WITH words AS MATERIALIZED (
      SELECT
        $1::bigint + $2::bigint <= 1000
        AND (
          SELECT count(*) >= 10
          FROM (SELECT * FROM "t"."article" LIMIT 40) t0
          WHERE (
            setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
            || '.:1'::tsvector
            || setweight(
              to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
            )
            || '.:1'::tsvector
            || setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D')
          ) @@ (
            to_tsquery('pg_catalog.simple', $5::text) || to_tsquery('pg_catalog.german', $5::text)
          )
        ) AS is_frequent,
        numnode(to_tsquery('pg_catalog.simple', $3::text)) > 0
        AND numnode(to_tsquery('pg_catalog.german', $3::text)) > 0 AS has_others
    ),
    tested AS MATERIALIZED (
      SELECT *
      FROM (
        SELECT *
        FROM "t"."article" t0
        WHERE (SELECT is_frequent AND NOT has_others FROM words)
        UNION ALL
        SELECT *
        FROM "t"."article" t0
        WHERE (SELECT is_frequent AND has_others FROM words)
          AND (
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
              to_tsquery('pg_catalog.simple', $3::text) || to_tsquery('pg_catalog.german', $3::text)
            )
            OR (
              plain_text(t0."title") %> $4::text
              AND (
                SELECT bool_and(word <% plain_text(t0."title"))
                FROM unnest(string_to_array($4::text, ' ')) word
              )
            )
          )
      ) t0
      LIMIT 5000
    ),
    near AS MATERIALIZED (
      SELECT
        t0."id" AS "id",
        t0."code" AS "code",
        t0."title" AS "title",
        t0."note" AS "note",
        t1."rank" AS "rank"
      FROM tested t0
      LEFT JOIN LATERAL (
        SELECT (
          ts_rank(
            setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
            || '.:1'::tsvector
            || setweight(
              to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
            ),
            (to_tsquery('pg_catalog.simple', $6::text) || to_tsquery('pg_catalog.german', $6::text))
          ) + 0.1 * coalesce(greatest(word_similarity($7::text, plain_text(t0."title"))), 0)
        )::real AS rank
      ) t1 ON TRUE
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
            to_tsquery('pg_catalog.simple', $9::text) || to_tsquery('pg_catalog.german', $9::text)
          )
          AND (
            setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
            || '.:1'::tsvector
            || setweight(
              to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
            )
          ) @@ (
            to_tsquery('pg_catalog.simple', $8::text) || to_tsquery('pg_catalog.german', $8::text)
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
      LIMIT 1000
    ),
    enough AS MATERIALIZED (
      SELECT count(*) = 1000
        OR (
          SELECT is_frequent AND has_others AND (SELECT count(*) < 5000 FROM tested) FROM words
        ) AS is_so
      FROM near
    ) SELECT * FROM near WHERE (SELECT is_so FROM enough) UNION ALL (
      SELECT
        t0."id" AS "id",
        t0."code" AS "code",
        t0."title" AS "title",
        t0."note" AS "note",
        t1."rank" AS "rank"
      FROM "t"."article" t0
      LEFT JOIN LATERAL (
        SELECT (
          ts_rank(
            setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
            || '.:1'::tsvector
            || setweight(
              to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
            ),
            (to_tsquery('pg_catalog.simple', $6::text) || to_tsquery('pg_catalog.german', $6::text))
          ) + 0.1 * coalesce(greatest(word_similarity($7::text, plain_text(t0."title"))), 0)
        )::real AS rank
      ) t1 ON TRUE
      WHERE (
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
              to_tsquery('pg_catalog.simple', $9::text) || to_tsquery('pg_catalog.german', $9::text)
            )
            AND (
              setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
              || '.:1'::tsvector
              || setweight(
                to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
              )
            ) @@ (
              to_tsquery('pg_catalog.simple', $8::text) || to_tsquery('pg_catalog.german', $8::text)
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
        AND NOT (SELECT is_so FROM enough)
      LIMIT greatest(1000, $1::bigint + $2::bigint)
    )
  ) page
  ORDER BY page."rank" DESC, page."id"
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
