-- collections are aggregated for each instance
-- $1 = "0"
-- $2 = "0"
-- $3 = 100
-- $4 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    CASE page."c0" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END AS "color",
    page."c1" AS "cost",
    page."c2" AS "mean",
    page."c3" AS "visits",
    page."c4" AS "tags",
    page."c5" AS "age"
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
        t0."color" AS "c0",
        sum(
          (SELECT sum(t1."cost") AS "c0" FROM "t"."visit" t1 WHERE t1."pet_id" = t0."id")
        ) AS "c1",
        trim_scale(
          (
            (
              sum((SELECT sum(t2."cost") AS "c0" FROM "t"."visit" t2 WHERE t2."pet_id" = t0."id"))
            )::numeric / NULLIF(
              (
                sum(
                  (SELECT count(t3."cost") AS "c0" FROM "t"."visit" t3 WHERE t3."pet_id" = t0."id")
                )
              )::numeric,
              0
            )
          )
        ) AS "c2",
        COALESCE(
          sum((SELECT count(*) AS "size" FROM "t"."visit" t4 WHERE t4."pet_id" = t0."id")),
          $1::bigint
        ) AS "c3",
        COALESCE(
          sum(
            (
              SELECT count(t5."label") AS "c0"
              FROM "t"."tag" t5
              JOIN "t"."pet_tags_link" t6 ON t6."tag_code" = t5."code"
              WHERE t6."pet_id" = t0."id"
            )
          ),
          $2::bigint
        ) AS "c4",
        trim_scale(avg((t0."age")::numeric)) AS "c5",
        t0."color" AS "o0"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL
      GROUP BY t0."color"
    ) selected
    ORDER BY selected."o0"
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
