-- groups by a reference and a unit of time are sorted by an aggregate
-- $1 = "Europe/Berlin"
-- $2 = "0.49999999999999956"
-- $3 = true
-- $4 = "1"
-- $5 = 100
-- $6 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    page."c0" AS "owner.name",
    page."c1" AS "month",
    page."c2" AS "n",
    page."c3" AS "weight",
    page."c4" AS "p50",
    page."c5" AS "owners"
  FROM (
    SELECT
      selected."c0" AS "c0",
      selected."c1" AS "c1",
      selected."c2" AS "c2",
      selected."c3" AS "c3",
      selected."c4" AS "c4",
      selected."c5" AS "c5"
    FROM (
      SELECT
        t1."name" AS "c0",
        (date_trunc('month', (t0."chipped_at" AT TIME ZONE $1::text)))::date AS "c1",
        count(*) AS "c2",
        sum(t0."weight") AS "c3",
        percentile_disc($2::double precision) WITHIN
      GROUP
        (ORDER BY t0."age") AS "c4",
        count(DISTINCT t0."owner_id") AS "c5",
        sum(t0."weight") AS "o0",
        (date_trunc('month', (t0."chipped_at" AT TIME ZONE $1::text)))::date AS "o1"
      FROM "t"."pet" t0
      LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
      WHERE t0."deleted_date" IS NULL AND t0."alive" = $3::boolean
      GROUP BY t1."name", (date_trunc('month', (t0."chipped_at" AT TIME ZONE $1::text)))::date
      HAVING count(*) >= $4::bigint
    ) selected
    ORDER BY selected."o0" DESC, selected."o1"
    LIMIT $5::bigint
    OFFSET $6::bigint
  ) page
) root
