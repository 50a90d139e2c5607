-- a page after a row has an end
-- $1 = "3.100"
-- $2 = "00000000-0000-4000-8000-000000000012"
-- $3 = 1

SELECT page."weight"::text AS "position_0", page."id"::text AS "position_1"
FROM (
  SELECT *
  FROM (
    (
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
        t0."photo" AS "photo"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL AND t0."weight" = $1::numeric AND t0."id" > $2::uuid
      ORDER BY t0."weight", t0."id"
      LIMIT $3::bigint
    ) UNION ALL (
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
        t0."photo" AS "photo"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL AND t0."weight" > $1::numeric
      ORDER BY t0."weight", t0."id"
      LIMIT $3::bigint
    ) UNION ALL (
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
        t0."photo" AS "photo"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL AND t0."weight" IS NULL
      ORDER BY t0."weight", t0."id"
      LIMIT $3::bigint
    )
  ) page
  ORDER BY page."weight", page."id"
  LIMIT $3::bigint
) page
OFFSET $3::bigint - 1
