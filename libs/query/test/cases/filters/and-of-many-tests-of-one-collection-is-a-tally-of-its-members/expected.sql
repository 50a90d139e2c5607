-- AND of many tests of one collection is a tally of its members
-- $1 = "0"
-- $2 = "100"
-- $3 = "0"
-- $4 = "none"
-- $5 = "50"
-- $6 = "51"
-- $7 = "Rex"
-- $8 = "none"
-- $9 = 100
-- $10 = 0

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
  LEFT JOIN LATERAL (
    SELECT
      bool_or(t2."age" > $1::integer) AS b0,
      bool_or(t2."age" < $2::integer) AS b1,
      bool_or(
        EXISTS (
          SELECT 1 FROM "t"."visit" t3 WHERE t3."pet_id" = t2."id" AND t3."cost" > $3::numeric
        )
      ) AS b2,
      bool_or(
        EXISTS (
          SELECT 1
          FROM "t"."tag" t4
          JOIN "t"."pet_tags_link" t5 ON t5."tag_code" = t4."code"
          WHERE t5."pet_id" = t2."id" AND t4."code" <> $4::text
        )
      ) AS b3,
      bool_or(t2."age" <> $5::integer) AS b4,
      bool_or(t2."age" <> $6::integer) AS b5
    FROM "t"."pet" t2
    WHERE t2."owner_id" = t0."id" AND t2."deleted_date" IS NULL
  ) t6 ON TRUE
  WHERE t0."deleted_date" IS NULL
    AND (
      COALESCE(t6."b0", FALSE)
      AND COALESCE(t6."b1", FALSE)
      AND EXISTS (
        SELECT 1
        FROM "t"."pet" t1
        WHERE t1."owner_id" = t0."id" AND t1."deleted_date" IS NULL AND t1."name" = $7::text
      )
      AND COALESCE(t6."b2", FALSE)
      AND COALESCE(t6."b3", FALSE)
      AND EXISTS (
        SELECT 1
        FROM "t"."owner_nicknames" t7
        WHERE t7."owner_id" = t0."id" AND t7."value" <> $8::text
      )
      AND COALESCE(t6."b4", FALSE)
      AND COALESCE(t6."b5", FALSE)
    )
  ORDER BY t0."name"
  LIMIT $9::bigint
  OFFSET $10::bigint
) page
