-- units of time without rows are there
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    CASE page."c0" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END AS "color",
    page."c1" AS "quarter",
    page."c2" AS "n",
    page."c3" AS "age"
  FROM (
    SELECT
      selected."c0" AS "c0", selected."c1" AS "c1", selected."c2" AS "c2", selected."c3" AS "c3"
    FROM (
      SELECT
        "c0",
        COALESCE(unit::date, "c1") AS "c1",
        CASE WHEN unit IS NULL OR unit = own THEN "c2" ELSE 0 END AS "c2",
        CASE WHEN unit IS NULL OR unit = own THEN "c3" END AS "c3",
        CASE WHEN unit IS NULL OR unit = own THEN "o0" ELSE 0 END AS "o0",
        COALESCE(unit::date, "o1") AS "o1"
      FROM (
        SELECT
          *,
          lag(own) OVER near AS before,
          lead(own) OVER near AS after,
          min(own) OVER () AS first,
          max(own) OVER () AS last
        FROM (
          SELECT *, CASE WHEN isfinite("c1") THEN "c1" END AS own
          FROM (
            SELECT
              t0."color" AS "c0",
              (date_trunc('quarter', (t0."born")::timestamp))::date AS "c1",
              count(*) AS "c2",
              trim_scale(avg((t0."age")::numeric)) AS "c3",
              count(*) AS "o0",
              (date_trunc('quarter', (t0."born")::timestamp))::date AS "o1"
            FROM "t"."pet" t0
            WHERE t0."deleted_date" IS NULL
            GROUP BY t0."color", (date_trunc('quarter', (t0."born")::timestamp))::date
          ) grouped
        ) owned WINDOW near AS (PARTITION BY "c0" ORDER BY own)
      ) neighbours
      LEFT JOIN LATERAL generate_series(
        (CASE WHEN before IS NULL THEN first ELSE own END)::timestamp,
        COALESCE(after - interval '3 month', last),
        interval '3 month'
      ) unit ON own IS NOT NULL
    ) selected
    ORDER BY selected."o0" DESC, selected."o1"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
