-- macros of the moment, in the user zone
-- $1 = "Asia/Tokyo"
-- $2 = "-36500"
-- $3 = "Asia/Tokyo"
-- $4 = "1"
-- $5 = "1"
-- $6 = 100
-- $7 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t1."name"::text, '')
          FROM "t"."owner" t1
          WHERE t1."id" = page."owner_id"
          LIMIT 1
        ),
        ''
      )
    ) AS "_instanceName",
    page."id" AS "id",
    page."name" AS "name",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Owner'::text AS "_entityName",
          COALESCE(t2."name"::text, '') AS "_instanceName",
          t2."id" AS "id",
          t2."name" AS "name"
        FROM "t"."owner" t2
        WHERE t2."id" = page."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    WHERE t0."deleted_date" IS NULL
      AND (
        (
          t0."seen_at" >= (
            (
              (
                date_trunc(
                  'day', (now() AT TIME ZONE $1::text)
                ) + make_interval(days => $2::integer)
              ) AT TIME ZONE $1::text
            ) AT TIME ZONE 'UTC'::text
          )
          AND t0."seen_at" < (
            (
              (
                date_trunc(
                  'day', (now() AT TIME ZONE $3::text)
                ) + make_interval(days => $4::integer)
              ) AT TIME ZONE $3::text
            ) AT TIME ZONE 'UTC'::text
          )
        )
        AND t0."chipped_at" <= now()::timestamp
        AND t0."born" <= now()::date
        AND NOT (
          (
            t0."born" >= date_trunc('month', (now() AT TIME ZONE 'UTC'::text))
            AND t0."born" < (
              date_trunc(
                'month', (now() AT TIME ZONE 'UTC'::text)
              ) + make_interval(months => $5::integer)
            )
          )
        )
      )
    LIMIT $6::bigint
    OFFSET $7::bigint
  ) page
) root
