-- quantifiers that go up and down count the second collection of a shared owner once
-- $1 = "Rex"
-- $2 = "1"
-- $3 = 100
-- $4 = 0

SELECT concat(
  '{"_entityName":"t_Pet"',
  ',"_instanceName":'
  || to_json(
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t9."name"::text, '')
          FROM "t"."owner" t9
          WHERE t9."id" = page."owner_id"
          LIMIT 1
        ),
        ''
      )
    )
  )::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  '}'
) AS "json"
FROM (
  SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
  FROM "t"."pet" t0
  LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
  WHERE t0."deleted_date" IS NULL
    AND EXISTS (
      SELECT 1
      FROM "t"."pet" t2
      LEFT JOIN (
        "t"."owner" t3 LEFT JOIN (
          SELECT t4."owner_id" AS "k0", count(*) AS "n"
          FROM "t"."pet" t4
          LEFT JOIN (
            "t"."owner" t5 LEFT JOIN (
              SELECT t6."owner_id" AS "k0", count(*) AS "n"
              FROM "t"."pet" t6
              WHERE t6."deleted_date" IS NULL AND t6."name" = $1::text
              GROUP BY t6."owner_id"
            ) t7 ON t7."k0" = t5."id"
          ) ON t5."id" = t4."owner_id"
          WHERE t4."deleted_date" IS NULL AND NOT (COALESCE(t7."n", 0) > 0)
          GROUP BY t4."owner_id"
        ) t8 ON t8."k0" = t3."id"
      ) ON t3."id" = t2."owner_id"
      WHERE t2."owner_id" = t1."id"
        AND t2."deleted_date" IS NULL
        AND COALESCE(t8."n", 0) > $2::bigint
    )
  ORDER BY t0."name"
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
