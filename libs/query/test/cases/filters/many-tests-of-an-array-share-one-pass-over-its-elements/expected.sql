-- many tests of an array share one pass over its elements
-- $1 = "%i%"
-- $2 = "%n%"
-- $3 = "%l%"
-- $4 = "%a%"
-- $5 = "%k%"
-- $6 = 100
-- $7 = 0

SELECT concat(
  '{"_entityName":"t_Trail"',
  ',"_instanceName":'
  || to_json(('t_Trail'::text || '-'::text || COALESCE(page."id"::text, '')))::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  '}'
) AS "json"
FROM (
  SELECT t0."id" AS "id"
  FROM "t"."trail" t0
  LEFT JOIN LATERAL (
    SELECT
      bool_or(lower(t1."value"::text) LIKE lower($1::text)) AS b0,
      bool_or(lower(t1."value"::text) LIKE lower($2::text)) AS b1,
      bool_or(lower(t1."value"::text) LIKE lower($3::text)) AS b2,
      bool_or(lower(t1."value"::text) LIKE lower($4::text)) AS b3,
      bool_or(lower(t1."value"::text) LIKE lower($5::text)) AS b4
    FROM unnest(t0."stops") WITH ORDINALITY t1 (value, position)
  ) t2 ON TRUE
  WHERE (
    COALESCE(t2."b0", FALSE)
    AND COALESCE(t2."b1", FALSE)
    AND COALESCE(t2."b2", FALSE)
    AND COALESCE(t2."b3", FALSE)
    AND COALESCE(t2."b4", FALSE)
  )
  LIMIT $6::bigint
  OFFSET $7::bigint
) page
