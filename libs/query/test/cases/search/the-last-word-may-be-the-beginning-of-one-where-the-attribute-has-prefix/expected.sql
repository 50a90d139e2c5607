-- the last word may be the beginning of one where the attribute has prefix
-- $1 = "a & (000:*BA | 000)"
-- $2 = "a 000"
-- $3 = "a & (000:*BA | 000)"
-- $4 = "a 000"
-- $5 = 100
-- $6 = 0

SELECT concat(
  '{"_entityName":"t_Article"',
  ',"_instanceName":'
  || to_json(('t_Article'::text || '-'::text || COALESCE(page."id"::text, '')))::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  CASE WHEN page."code" IS NOT NULL THEN ',"code":' END,
  to_json(page."code"),
  CASE WHEN page."title" IS NOT NULL THEN ',"title":' END,
  to_json(page."title"),
  CASE WHEN page."body" IS NOT NULL THEN ',"body":' END,
  to_json(page."body"),
  CASE WHEN page."note" IS NOT NULL THEN ',"note":' END,
  to_json(page."note"),
  '}'
) AS "json"
FROM (
  SELECT
    t0."id" AS "id",
    t0."code" AS "code",
    t0."title" AS "title",
    t0."body" AS "body",
    t0."note" AS "note"
  FROM "t"."article" t0
  LEFT JOIN LATERAL (
    SELECT (
      ts_rank(
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
        ),
        (to_tsquery('pg_catalog.simple', $1::text) || to_tsquery('pg_catalog.german', $1::text))
      ) + 0.1 * coalesce(
        greatest(
          word_similarity(
            $2::text,
            regexp_replace(
              translate(
                regexp_replace(lower(normalize(t0."title", NFKD)), '[\u0300-\u036f]+', '', 'g'),
                'øłđħς',
                'oldhσ'
              ),
              '[^0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+',
              ' ',
              'g'
            )
          )
        ),
        0
      )
    )::real AS rank
  ) t1 ON TRUE
  WHERE (
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
    ) @@ (to_tsquery('pg_catalog.simple', $3::text) || to_tsquery('pg_catalog.german', $3::text))
    OR (
      regexp_replace(
        translate(
          regexp_replace(lower(normalize(t0."title", NFKD)), '[\u0300-\u036f]+', '', 'g'),
          'øłđħς',
          'oldhσ'
        ),
        '[^0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+',
        ' ',
        'g'
      ) %> $4::text
      AND (
        SELECT bool_and(
          word <% regexp_replace(
            translate(
              regexp_replace(lower(normalize(t0."title", NFKD)), '[\u0300-\u036f]+', '', 'g'),
              'øłđħς',
              'oldhσ'
            ),
            '[^0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+',
            ' ',
            'g'
          )
        )
        FROM unnest(string_to_array($4::text, ' ')) word
      )
    )
  )
  ORDER BY t1."rank" DESC
  LIMIT $5::bigint
  OFFSET $6::bigint
) page
