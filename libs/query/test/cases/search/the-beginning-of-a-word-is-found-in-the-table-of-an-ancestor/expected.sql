-- the beginning of a word is found in the table of an ancestor
-- $1 = 5
-- $2 = 0
-- $3 = "(hou:*)"
-- $4 = "(hou:*)"
-- $5 = "(hou:*)"

SELECT
  concat(
    '{"_entityName":"t_Vet"',
    ',"_instanceName":' || to_json(('Dr. '::text || COALESCE(page."name"::text, '')))::text,
    CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
    to_json(page."id"),
    CASE WHEN page."name" IS NOT NULL THEN ',"name":' END,
    to_json(page."name"),
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
          FROM (SELECT * FROM "t"."staff" LIMIT 40) t1
          WHERE (
            setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t1."name"), '')), 'D')
          ) @@ (to_tsquery('pg_catalog.simple', $3::text))
        ) AS is_frequent,
        FALSE AS has_others
    ),
    tested AS MATERIALIZED (
      SELECT *
      FROM (SELECT * FROM "t"."vet" t0 WHERE (SELECT is_frequent AND TRUE FROM words)) t0
      LIMIT 5000
    ),
    near AS MATERIALIZED (
      SELECT t1."name" AS "name", t0."id" AS "id", t2."rank" AS "rank"
      FROM tested t0
      JOIN "t"."staff" t1 ON t1."id" = t0."id"
      LEFT JOIN LATERAL (
        SELECT ts_rank(
          setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t1."name"), '')), 'D'),
          (to_tsquery('pg_catalog.simple', $4::text))
        ) AS rank
      ) t2 ON TRUE
      WHERE (
        setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t1."name"), '')), 'D')
      ) @@ (SELECT (to_tsquery('pg_catalog.simple', $5::text)))
      LIMIT 1000
    ),
    enough AS MATERIALIZED (
      SELECT count(*) = 1000
        OR (
          SELECT is_frequent AND has_others AND (SELECT count(*) < 5000 FROM tested) FROM words
        ) AS is_so
      FROM near
    ) SELECT * FROM near WHERE (SELECT is_so FROM enough) UNION ALL (
      SELECT t1."name" AS "name", t0."id" AS "id", t2."rank" AS "rank"
      FROM "t"."vet" t0
      JOIN "t"."staff" t1 ON t1."id" = t0."id"
      LEFT JOIN LATERAL (
        SELECT ts_rank(
          setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t1."name"), '')), 'D'),
          (to_tsquery('pg_catalog.simple', $4::text))
        ) AS rank
      ) t2 ON TRUE
      WHERE (
          setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t1."name"), '')), 'D')
        ) @@ (SELECT (to_tsquery('pg_catalog.simple', $5::text)))
        AND NOT (SELECT is_so FROM enough)
      LIMIT greatest(1000, $1::bigint + $2::bigint)
    )
  ) page
  ORDER BY page."rank" DESC, page."id"
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
