-- words that are found are shown in their texts
-- $1 = "haus | (garten:*)"
-- $2 = "haus | garten"
-- $3 = 10
-- $4 = 0
-- $5 = "haus"
-- $6 = "haus garten"
-- $7 = "(garten:*BA | garten)"
-- $8 = "haus & (garten:*A | garten)"
-- $9 = "haus garten"
-- $10 = "haus & (garten:*A | garten)"
-- $11 = "haus & (garten:*BA | garten)"

SELECT
  row_to_json(root)::text AS "json",
  page."rank"::text AS "position_0",
  page."id"::text AS "position_1"
FROM (
  SELECT *
  FROM (
    WITH words AS MATERIALIZED (
      SELECT
        $3::bigint + $4::bigint <= 1000
        AND (
          SELECT count(*) >= 10
          FROM (SELECT * FROM "t"."article" LIMIT 40) t0
          WHERE (
            setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
            || '.:1'::tsvector
            || setweight(
              to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
            )
            || '.:1'::tsvector
            || setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D')
          ) @@ (
            to_tsquery('pg_catalog.simple', $7::text) || to_tsquery('pg_catalog.german', $7::text)
          )
        ) AS is_frequent,
        numnode(to_tsquery('pg_catalog.simple', $5::text)) > 0
        AND numnode(to_tsquery('pg_catalog.german', $5::text)) > 0 AS has_others
    ),
    tested AS MATERIALIZED (
      SELECT *
      FROM (
        SELECT *
        FROM "t"."article" t0
        WHERE (SELECT is_frequent AND NOT has_others FROM words)
        UNION ALL
        SELECT *
        FROM "t"."article" t0
        WHERE (SELECT is_frequent AND has_others FROM words)
          AND (
            (
              setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
              || '.:1'::tsvector
              || setweight(
                to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
              )
              || '.:1'::tsvector
              || setweight(
                to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D'
              )
            ) @@ (
              to_tsquery('pg_catalog.simple', $5::text) || to_tsquery('pg_catalog.german', $5::text)
            )
            OR (
              plain_text(t0."title") %> $6::text
              AND (
                SELECT bool_and(word <% plain_text(t0."title"))
                FROM unnest(string_to_array($6::text, ' ')) word
              )
            )
          )
      ) t0
      LIMIT 5000
    ),
    near AS MATERIALIZED (
      SELECT t0."id" AS "id", t0."title" AS "title", t0."body" AS "body", t1."rank" AS "rank"
      FROM tested t0
      LEFT JOIN LATERAL (
        SELECT (
          ts_rank(
            setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A')
            || '.:1'::tsvector
            || setweight(
              to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D'
            ),
            (to_tsquery('pg_catalog.german', $8::text))
          ) + 0.1 * coalesce(greatest(word_similarity($9::text, plain_text(t0."title"))), 0)
        )::real AS rank
      ) t1 ON TRUE
      WHERE (
        (
          (
            setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
            || '.:1'::tsvector
            || setweight(
              to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
            )
            || '.:1'::tsvector
            || setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D')
          ) @@ (
            to_tsquery('pg_catalog.simple', $11::text) || to_tsquery('pg_catalog.german', $11::text)
          )
          AND (
            setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A')
            || '.:1'::tsvector
            || setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D')
          ) @@ (to_tsquery('pg_catalog.german', $10::text))
        )
        OR (
          plain_text(t0."title") %> $6::text
          AND (
            SELECT bool_and(word <% plain_text(t0."title"))
            FROM unnest(string_to_array($6::text, ' ')) word
          )
        )
      )
      LIMIT 1000
    ),
    enough AS MATERIALIZED (
      SELECT count(*) = 1000
        OR (
          SELECT is_frequent AND has_others AND (SELECT count(*) < 5000 FROM tested) FROM words
        ) AS is_so
      FROM near
    ) SELECT * FROM near WHERE (SELECT is_so FROM enough) UNION ALL (
      SELECT t0."id" AS "id", t0."title" AS "title", t0."body" AS "body", t1."rank" AS "rank"
      FROM "t"."article" t0
      LEFT JOIN LATERAL (
        SELECT (
          ts_rank(
            setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A')
            || '.:1'::tsvector
            || setweight(
              to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D'
            ),
            (to_tsquery('pg_catalog.german', $8::text))
          ) + 0.1 * coalesce(greatest(word_similarity($9::text, plain_text(t0."title"))), 0)
        )::real AS rank
      ) t1 ON TRUE
      WHERE (
          (
            (
              setweight(to_tsvector('pg_catalog.simple', coalesce(plain_text(t0."code"), '')), 'B')
              || '.:1'::tsvector
              || setweight(
                to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A'
              )
              || '.:1'::tsvector
              || setweight(
                to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D'
              )
            ) @@ (
              to_tsquery('pg_catalog.simple', $11::text)
              || to_tsquery('pg_catalog.german', $11::text)
            )
            AND (
              setweight(to_tsvector('pg_catalog.german', coalesce(plain_text(t0."title"), '')), 'A')
              || '.:1'::tsvector
              || setweight(
                to_tsvector('pg_catalog.german', coalesce(plain_text(t0."body"), '')), 'D'
              )
            ) @@ (to_tsquery('pg_catalog.german', $10::text))
          )
          OR (
            plain_text(t0."title") %> $6::text
            AND (
              SELECT bool_and(word <% plain_text(t0."title"))
              FROM unnest(string_to_array($6::text, ' ')) word
            )
          )
        )
        AND NOT (SELECT is_so FROM enough)
      LIMIT greatest(1000, $3::bigint + $4::bigint)
    )
  ) page
  ORDER BY page."rank" DESC, page."id"
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
CROSS JOIN LATERAL (
  SELECT
    't_Article'::text AS "_entityName",
    ('t_Article'::text || '-'::text || COALESCE(page."id"::text, '')) AS "_instanceName",
    page."id" AS "id",
    (
      SELECT array_to_json(array_agg(h))
      FROM (
        SELECT
          'title' AS "attribute",
          (
            SELECT array_to_json(
              array_agg(
                array_to_json(string_to_array(normalize(p.text, NFC), chr(1))) ORDER BY p.at
              )
            )
            FROM (
              SELECT
                h.at,
                string_agg(
                  CASE WHEN m.word LIKE '%<%' THEN chr(1) || o.word[1] || chr(1) ELSE o.word[1] END
                  || left(o.word[2], 50),
                  '' ORDER BY m.at
                ) AS text
              FROM
                (
                  SELECT
                    ' ' || btrim(plain_text(left(page."title", 5000))) || ' ' AS plain,
                    translate(normalize(left(page."title", 5000), NFKD), chr(1), ' ') AS whole
                  OFFSET 0
                ) x,
                regexp_split_to_table(
                  ts_headline(
                    'pg_catalog.german',
                    btrim(x.plain),
                    (to_tsquery('pg_catalog.german', $1::text)),
                    'StartSel=<,StopSel=>,FragmentDelimiter=|,MaxFragments=2,MaxWords=16,MinWords=4,ShortWord=0'
                  ),
                  '[|]'
                ) WITH ORDINALITY h(part, at),
                LATERAL (
                  SELECT length(
                    regexp_replace(
                      left(x.plain, strpos(x.plain, ' ' || translate(h.part, '<>', '') || ' ')),
                      '[^ ]+',
                      '',
                      'g'
                    )
                  ) AS words
                  OFFSET 0
                ) b,
                unnest(string_to_array(h.part, ' ')) WITH ORDINALITY m(word, at),
                regexp_matches(
                  x.whole,
                  '((?![\u0300-\u036f])[A-Z0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+)([^A-Z0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]*)',
                  'g'
                ) WITH ORDINALITY o(word, at)
              WHERE h.part LIKE '%<%' AND b.words > 0 AND o.at = b.words + m.at - 1
              GROUP BY h.at
            ) p
          ) AS "fragments"
        UNION ALL
        SELECT
          'body' AS "attribute",
          (
            SELECT array_to_json(
              array_agg(
                array_to_json(string_to_array(normalize(p.text, NFC), chr(1))) ORDER BY p.at
              )
            )
            FROM (
              SELECT
                h.at,
                string_agg(
                  CASE WHEN m.word LIKE '%<%' THEN chr(1) || o.word[1] || chr(1) ELSE o.word[1] END
                  || left(o.word[2], 50),
                  '' ORDER BY m.at
                ) AS text
              FROM
                (
                  SELECT
                    ' ' || btrim(plain_text(left(page."body", 5000))) || ' ' AS plain,
                    translate(normalize(left(page."body", 5000), NFKD), chr(1), ' ') AS whole
                  OFFSET 0
                ) x,
                regexp_split_to_table(
                  ts_headline(
                    'pg_catalog.german',
                    btrim(x.plain),
                    (to_tsquery('pg_catalog.german', $2::text)),
                    'StartSel=<,StopSel=>,FragmentDelimiter=|,MaxFragments=2,MaxWords=16,MinWords=4,ShortWord=0'
                  ),
                  '[|]'
                ) WITH ORDINALITY h(part, at),
                LATERAL (
                  SELECT length(
                    regexp_replace(
                      left(x.plain, strpos(x.plain, ' ' || translate(h.part, '<>', '') || ' ')),
                      '[^ ]+',
                      '',
                      'g'
                    )
                  ) AS words
                  OFFSET 0
                ) b,
                unnest(string_to_array(h.part, ' ')) WITH ORDINALITY m(word, at),
                regexp_matches(
                  x.whole,
                  '((?![\u0300-\u036f])[A-Z0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+)([^A-Z0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]*)',
                  'g'
                ) WITH ORDINALITY o(word, at)
              WHERE h.part LIKE '%<%' AND b.words > 0 AND o.at = b.words + m.at - 1
              GROUP BY h.at
            ) p
          ) AS "fragments"
      ) h
      WHERE h."fragments" IS NOT NULL
    ) AS "_highlights"
) root
