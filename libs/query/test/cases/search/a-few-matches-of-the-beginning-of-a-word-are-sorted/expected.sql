-- a few matches of the beginning of a word are sorted
-- $1 = "haus & (gart:*BA | gart)"
-- $2 = "haus"
-- $3 = "haus gart"
-- $4 = "(gart:*BA | gart)"
-- $5 = 10
-- $6 = 0

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
    CASE WHEN page."body" IS NOT NULL THEN ',"body":' END,
    to_json(page."body"),
    CASE WHEN page."note" IS NOT NULL THEN ',"note":' END,
    to_json(page."note"),
    '}'
  ) AS "json",
  page."code"::text AS "position_0",
  page."id"::text AS "position_1"
FROM (
  WITH frequent AS MATERIALIZED (
    SELECT (
      SELECT count(*) >= 10
      FROM (SELECT * FROM "t"."article" LIMIT 40) t0
      WHERE (
        setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
        || '.:1'::tsvector
        || setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A')
        || '.:1'::tsvector
        || setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D')
      ) @@ (to_tsquery('pg_catalog.simple', $4::text) || to_tsquery('pg_catalog.german', $4::text))
    ) AS is_so
  ),
  words AS MATERIALIZED (
    SELECT CASE
      WHEN NOT is_so THEN (
        to_tsquery('pg_catalog.simple', $1::text) || to_tsquery('pg_catalog.german', $1::text)
      )
      WHEN numnode(to_tsquery('pg_catalog.simple', $2::text)) > 0
        AND numnode(to_tsquery('pg_catalog.german', $2::text)) > 0 THEN (
          to_tsquery('pg_catalog.simple', $2::text) || to_tsquery('pg_catalog.german', $2::text)
        )
    END AS query
    FROM frequent
  ),
  tested AS MATERIALIZED (
    SELECT *
    FROM "t"."article" t0
    WHERE (
      (
        setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
        || '.:1'::tsvector
        || setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A')
        || '.:1'::tsvector
        || setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D')
      ) @@ (SELECT query FROM words)
      OR (
        plain_text(t0."title") %> $3::text
        AND (
          SELECT bool_and(word <% plain_text(t0."title"))
          FROM unnest(string_to_array($3::text, ' ')) word
        )
      )
    )
    LIMIT (
      SELECT least(10000, reltuples / 100)::bigint
      FROM pg_class
      WHERE oid = '"t"."article"'::regclass
    )
  ) (
    SELECT
      t0."id" AS "id",
      t0."code" AS "code",
      t0."title" AS "title",
      t0."body" AS "body",
      t0."note" AS "note"
    FROM tested t0
    WHERE (
        SELECT query IS NOT NULL
          AND (SELECT count(*) FROM tested) < (
            SELECT least(10000, reltuples / 100)::bigint
            FROM pg_class
            WHERE oid = '"t"."article"'::regclass
          )
        FROM words
      )
      AND CASE
        WHEN (SELECT is_so FROM frequent) THEN (
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
            plain_text(t0."title") %> $3::text
            AND (
              SELECT bool_and(word <% plain_text(t0."title"))
              FROM unnest(string_to_array($3::text, ' ')) word
            )
          )
        )
        ELSE TRUE
      END
      AND TRUE
    ORDER BY t0."code" DESC, t0."id" DESC
    LIMIT $5::bigint
    OFFSET $6::bigint
  ) UNION ALL (
    SELECT
      t0."id" AS "id",
      t0."code" AS "code",
      t0."title" AS "title",
      t0."body" AS "body",
      t0."note" AS "note"
    FROM "t"."article" t0
    WHERE NOT (
        SELECT query IS NOT NULL
          AND (SELECT count(*) FROM tested) < (
            SELECT least(10000, reltuples / 100)::bigint
            FROM pg_class
            WHERE oid = '"t"."article"'::regclass
          )
        FROM words
      )
      AND (
        (
          setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
          || '.:1'::tsvector
          || setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A')
          || '.:1'::tsvector
          || setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D')
        ) @@ (
          to_tsquery('pg_catalog.simple', $1::text) || to_tsquery('pg_catalog.german', $1::text)
        )
        OR (
          plain_text(t0."title") %> $3::text
          AND (
            SELECT bool_and(word <% plain_text(t0."title"))
            FROM unnest(string_to_array($3::text, ' ')) word
          )
        )
      )
    ORDER BY t0."code" DESC, t0."id" DESC
    LIMIT $5::bigint
    OFFSET $6::bigint
  )
) page
