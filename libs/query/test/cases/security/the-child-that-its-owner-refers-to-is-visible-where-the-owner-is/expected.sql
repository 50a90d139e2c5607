-- the child that its owner refers to is visible where the owner is
-- $1 = "DE"
-- $2 = 100
-- $3 = 0

SELECT concat(
  '{"_entityName":"t_Passport"',
  ',"_instanceName":'
  || to_json(('t_Passport'::text || '-'::text || COALESCE(page."id"::text, '')))::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  CASE WHEN page."version" IS NOT NULL THEN ',"version":' END,
  to_json(page."version"),
  ',"createdDate":"' || to_char(page."created_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') || '"',
  CASE WHEN page."created_by" IS NOT NULL THEN ',"createdBy":' END,
  to_json(page."created_by"),
  ',"lastModifiedDate":"'
  || to_char(page."last_modified_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS')
  || '"',
  CASE WHEN page."last_modified_by" IS NOT NULL THEN ',"lastModifiedBy":' END,
  to_json(page."last_modified_by"),
  CASE WHEN page."code" IS NOT NULL THEN ',"code":' END,
  to_json(page."code"),
  '}'
) AS "json"
FROM (
  SELECT
    t0."id" AS "id",
    t0."version" AS "version",
    t0."created_date" AS "created_date",
    t0."created_by" AS "created_by",
    t0."last_modified_date" AS "last_modified_date",
    t0."last_modified_by" AS "last_modified_by",
    t0."code" AS "code"
  FROM "t"."passport" t0
  WHERE EXISTS (
    SELECT 1
    FROM "t"."pet" t1
    LEFT JOIN "t"."owner" t2 ON t2."id" = t1."owner_id"
    WHERE t1."passport_id" = t0."id" AND t2."address_country" = $1::text
  )
  LIMIT $2::bigint
  OFFSET $3::bigint
) page
