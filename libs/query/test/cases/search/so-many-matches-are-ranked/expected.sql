-- so many matches are ranked
-- $1 = "(haus:*)"
-- $2 = "1"
-- $3 = "(haus:*BA | haus)"
-- $4 = "(haus:*)"
-- $5 = 2

SELECT
  concat(
    '{"_entityName":"t_Article"',
    ',"_instanceName":'
    || to_json(('t_Article'::text || '-'::text || COALESCE(page."id"::text, '')))::text,
    CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
    to_json(page."id"),
    '}'
  ) AS "json",
  page."rank"::text AS "position_0",
  page."id"::text AS "position_1"
FROM (
  SELECT *
  FROM (
    SELECT t0."id" AS "id", t1."rank" AS "rank"
    FROM "t"."article" t0
    LEFT JOIN LATERAL (
      SELECT ts_rank(
        setweight(
          to_tsvector(
            'pg_catalog.simple',
            coalesce(
              regexp_replace(
                translate(
                  regexp_replace(lower(normalize(t0."code", NFKD)), '[\u0300-\u036f]+', '', 'g'),
                  'øłđħς',
                  'oldhσ'
                ),
                '[^0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+',
                ' ',
                'g'
              ),
              ''
            )
          ),
          'B'
        ),
        (to_tsquery('pg_catalog.simple', $1::text))
      ) AS rank
    ) t1 ON TRUE
    WHERE t0."id" <> $2::integer
      AND (
        (
          setweight(
            to_tsvector(
              'pg_catalog.simple',
              coalesce(
                regexp_replace(
                  translate(
                    regexp_replace(lower(normalize(t0."code", NFKD)), '[\u0300-\u036f]+', '', 'g'),
                    'øłđħς',
                    'oldhσ'
                  ),
                  '[^0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+',
                  ' ',
                  'g'
                ),
                ''
              )
            ),
            'B'
          )
          || '.:1'::tsvector
          || setweight(
            to_tsvector(
              'pg_catalog.german',
              coalesce(
                regexp_replace(
                  translate(
                    regexp_replace(lower(normalize(t0."title", NFKD)), '[\u0300-\u036f]+', '', 'g'),
                    'øłđħς',
                    'oldhσ'
                  ),
                  '[^0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+',
                  ' ',
                  'g'
                ),
                ''
              )
            ),
            'A'
          )
          || '.:1'::tsvector
          || setweight(
            to_tsvector(
              'pg_catalog.german',
              coalesce(
                regexp_replace(
                  translate(
                    regexp_replace(lower(normalize(t0."body", NFKD)), '[\u0300-\u036f]+', '', 'g'),
                    'øłđħς',
                    'oldhσ'
                  ),
                  '[^0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+',
                  ' ',
                  'g'
                ),
                ''
              )
            ),
            'D'
          )
        ) @@ (
          to_tsquery('pg_catalog.simple', $3::text) || to_tsquery('pg_catalog.german', $3::text)
        )
        AND (
          setweight(
            to_tsvector(
              'pg_catalog.simple',
              coalesce(
                regexp_replace(
                  translate(
                    regexp_replace(lower(normalize(t0."code", NFKD)), '[\u0300-\u036f]+', '', 'g'),
                    'øłđħς',
                    'oldhσ'
                  ),
                  '[^0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+',
                  ' ',
                  'g'
                ),
                ''
              )
            ),
            'B'
          )
        ) @@ (to_tsquery('pg_catalog.simple', $4::text))
      )
    LIMIT 100
  ) page
  ORDER BY page."rank" DESC, page."id"
  LIMIT $5::bigint
) page
