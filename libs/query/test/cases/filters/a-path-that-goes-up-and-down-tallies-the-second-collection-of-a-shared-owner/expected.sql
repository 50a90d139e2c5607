-- a path that goes up and down tallies the second collection of a shared owner
-- $1 = "Rex"
-- $2 = 100
-- $3 = 0

SELECT concat(
  '{"_entityName":"t_Owner"',
  ',"_instanceName":' || to_json(COALESCE(page."name"::text, ''))::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  '}'
) AS "json"
FROM (
  SELECT t0."name" AS "name", t0."id" AS "id"
  FROM "t"."owner" t0
  WHERE t0."deleted_date" IS NULL
    AND EXISTS (
      SELECT 1
      FROM "t"."pet" t1
      LEFT JOIN "t"."owner" t2 ON t2."id" = t1."owner_id"
      WHERE t1."owner_id" = t0."id"
        AND t1."deleted_date" IS NULL
        AND EXISTS (
          SELECT 1
          FROM "t"."pet" t3
          LEFT JOIN (
            "t"."owner" t4 LEFT JOIN (
              SELECT t5."owner_id" AS k0, bool_or(TRUE) AS b0
              FROM "t"."pet" t5
              WHERE t5."deleted_date" IS NULL AND t5."name" = $1::text
              GROUP BY t5."owner_id"
            ) t6 ON t6."k0" = t4."id"
          ) ON t4."id" = t3."owner_id"
          WHERE t3."owner_id" = t2."id" AND t3."deleted_date" IS NULL AND COALESCE(t6."b0", FALSE)
        )
    )
  ORDER BY t0."name"
  LIMIT $2::bigint
  OFFSET $3::bigint
) page
