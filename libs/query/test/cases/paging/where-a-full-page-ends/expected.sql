-- where a full page ends
-- $1 = 2
-- $2 = 1

SELECT page."name_t1"::text AS "position_0", page."id"::text AS "position_1"
FROM (
  SELECT
    t0."name" AS "name",
    t0."owner_id" AS "owner_id",
    t0."id" AS "id",
    t0."version" AS "version",
    t0."created_date" AS "created_date",
    t0."created_by" AS "created_by",
    t0."last_modified_date" AS "last_modified_date",
    t0."last_modified_by" AS "last_modified_by",
    t0."deleted_date" AS "deleted_date",
    t0."deleted_by" AS "deleted_by",
    t0."color" AS "color",
    t0."weight" AS "weight",
    t0."ratio" AS "ratio",
    t0."serial" AS "serial",
    t0."age" AS "age",
    t0."alive" AS "alive",
    t0."born" AS "born",
    t0."seen_at" AS "seen_at",
    t0."chipped_at" AS "chipped_at",
    t0."feed_at" AS "feed_at",
    t0."chip" AS "chip",
    t0."photo" AS "photo",
    t1."name" AS "name_t1"
  FROM "t"."pet" t0
  LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
  WHERE t0."deleted_date" IS NULL
  ORDER BY t1."name" DESC, t0."id" DESC
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
OFFSET $1::bigint - 1
