-- macros of dates
-- $1 = "2026-01-02"
-- $2 = "2026-01-01T23:00:00+02:00"
-- $3 = "2024-02-29"
-- $4 = "2024-02-29"
-- $5 = "1"
-- $6 = "1"
-- $7 = 100
-- $8 = 0

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
        t0."seen_at" < (
          (
            date_trunc('day', ($1::date)::timestamp) AT TIME ZONE 'UTC'::text
          ) AT TIME ZONE 'UTC'::text
        )
        AND t0."chipped_at" >= (
          date_trunc('day', ($2::timestamptz AT TIME ZONE 'UTC'::text)) AT TIME ZONE 'UTC'::text
        )
        AND (
          t0."born" >= date_trunc('day', ($3::date)::timestamp)
          AND t0."born" < (
            date_trunc('day', ($4::date)::timestamp) + make_interval(days => $5::integer)
          )
        )
        AND t0."feed_at" IS NOT NULL
        AND NOT (
          (
            t0."seen_at" >= (
              (
                date_trunc('day', (now() AT TIME ZONE 'UTC'::text)) AT TIME ZONE 'UTC'::text
              ) AT TIME ZONE 'UTC'::text
            )
            AND t0."seen_at" < (
              (
                (
                  date_trunc(
                    'day', (now() AT TIME ZONE 'UTC'::text)
                  ) + make_interval(days => $6::integer)
                ) AT TIME ZONE 'UTC'::text
              ) AT TIME ZONE 'UTC'::text
            )
          )
        )
      )
    LIMIT $7::bigint
    OFFSET $8::bigint
  ) page
) root
