import { dynamicData } from './dynamic-attributes.ts';

/** Rows of the test model. Ids end in a distinct number. */
export const ID = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const AUDIT = "1, '2026-01-02 03:04:05.006', 'test', '2026-01-02 03:04:05.006', 'test'";
const AUDIT_COLUMNS = 'version, created_date, created_by, last_modified_date, last_modified_by';

export const DATA: readonly string[] = [
  `INSERT INTO t.owner (id, ${AUDIT_COLUMNS}, deleted_date, name, level, salary, password, address_country, address_city) VALUES
    ('${ID(1)}', ${AUDIT}, NULL, 'Anna', 2, 10.50, 'hidden', 'DE', 'Bonn'),
    ('${ID(2)}', ${AUDIT}, NULL, 'Bob_100%', 1, NULL, NULL, 'FR', NULL),
    ('${ID(3)}', ${AUDIT}, NULL, 'Carl', NULL, 12345678901234567.89, NULL, NULL, NULL),
    ('${ID(4)}', ${AUDIT}, '2026-02-01', 'Gone', 1, 1.00, NULL, 'DE', 'Ulm')`,
  `INSERT INTO t.owner_nicknames (owner_id, position, value) VALUES
    ('${ID(1)}', 0, 'Ann'), ('${ID(1)}', 1, 'Ännchen'), ('${ID(2)}', 0, 'Bobby')`,
  `INSERT INTO t.passport (id, ${AUDIT_COLUMNS}, code) VALUES ('${ID(21)}', ${AUDIT}, 'P-1')`,
  `INSERT INTO t.pet (id, ${AUDIT_COLUMNS}, deleted_date, name, color, weight, ratio, serial, age, alive, born, seen_at, chipped_at, feed_at, chip, photo, owner_id, passport_id) VALUES
    ('${ID(11)}', ${AUDIT}, NULL, 'Rex', 'r', 12.500, 0.1, 9007199254740993, 3, true, '2024-02-29', '2026-01-01 10:00:00', '2026-01-01 10:00:00.250+02', '07:30', '${ID(99)}', '\\x00ff', '${ID(1)}', '${ID(21)}'),
    ('${ID(12)}', ${AUDIT}, NULL, 'Mia', 'g', 3.100, 2, 5, 10, false, NULL, NULL, NULL, NULL, NULL, NULL, '${ID(2)}', NULL),
    ('${ID(13)}', ${AUDIT}, NULL, 'Stray', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    ('${ID(14)}', ${AUDIT}, NULL, 'Old', 'g', 1.000, NULL, NULL, 20, false, NULL, NULL, NULL, NULL, NULL, NULL, '${ID(4)}', NULL),
    ('${ID(15)}', ${AUDIT}, '2026-03-01', 'Deleted', 'r', 1.000, NULL, NULL, 1, false, NULL, NULL, NULL, NULL, NULL, NULL, '${ID(1)}', NULL)`,
  `INSERT INTO t.licence (id, ${AUDIT_COLUMNS}, deleted_date, code, pet_id) VALUES
    ('${ID(61)}', ${AUDIT}, NULL, 'L-1', '${ID(11)}'),
    ('${ID(62)}', ${AUDIT}, NULL, 'L-2', '${ID(12)}'),
    ('${ID(63)}', ${AUDIT}, '2026-02-01', 'L-0', '${ID(11)}'),
    ('${ID(64)}', ${AUDIT}, NULL, 'L-3', NULL)`,
  `INSERT INTO t.tag (code, label) VALUES ('cute', 'Cute'), ('loud', 'Loud'), ('rare', 'Rare')`,
  `INSERT INTO t.pet_tags_link (pet_id, tag_code) VALUES
    ('${ID(11)}', 'cute'), ('${ID(11)}', 'loud'), ('${ID(12)}', 'cute'), ('${ID(15)}', 'rare')`,
  `INSERT INTO t.staff (id, entity_name, name) VALUES (1, 't_Vet', 'House'), (2, 't_Nurse', 'Joy')`,
  `INSERT INTO t.vet (id, licence) VALUES (1, 'L-1')`,
  `INSERT INTO t.nurse (id, ward) VALUES (2, 'W-2')`,
  `INSERT INTO t.rate (id_currency, id_valid_on, value) VALUES ('EUR', '2026-01-01', 1.000000), ('USD', '2026-01-01', 1.100000)`,
  `INSERT INTO t.visit (id, pet_id, staff_id, cost, rate_id_currency, rate_id_valid_on) OVERRIDING SYSTEM VALUE VALUES
    (1, '${ID(11)}', 1, 20.00, 'EUR', '2026-01-01'),
    (2, '${ID(11)}', 2, 100.10, 'USD', '2026-01-01'),
    (3, '${ID(12)}', NULL, NULL, NULL, NULL)`,
  `INSERT INTO t.unit (number, whole_number) VALUES (1, NULL), (2, 1), (3, 2), (4, NULL)`,
  ...dynamicData(ID),
  `INSERT INTO t.reading (id, color, level, alive, count, amount, exact, ratio, born, seen_at, chipped_at, feed_at, opens_at) VALUES
    (1, 'r', 2, true, -1234567, 1234.1250, 0.5, 1234.5, '2026-11-05', '2026-11-05 14:07:09', '2026-11-05 14:07:09+02', '07:30', '08:15+05:30'),
    (2, 'g', 1, false, 9007199254740993, 0.1350, 1e39, 1e40, '0001-02-03', '2026-11-05 00:00', '2026-11-05 00:00+00', '00:00', '08:15-03'),
    (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (4, 'x', 9, true, 0, 0, 12345678901234567890.5, -0.0005, '2026-01-01', '2026-01-01', '2026-01-01+00', '23:59', '08:15+00')`,
  `INSERT INTO t.trail (id, span, map, stops, heights, hosts) VALUES
    (1, '90 minutes', '<a/>', '{Inn,Lake}', '{1.50,NULL,10}', '{10.0.0.1}'),
    (2, '2 hours', NULL, '{}', NULL, NULL),
    (3, NULL, '<b/>', NULL, '{20}', '{::1,10.0.0.2}')`,
  `INSERT INTO t.article (id, code, title, body, note) VALUES
    (1, 'A-0001', 'Müller baut Häuser', 'Ein Haus am See, mit Garten', 'x'),
    (2, 'A-0002', 'Gärten', 'Das Haus und der Garten von Frau Müller <b>', 'y'),
    (3, 'B-0003', 'Schmidt', NULL, 'Haus'),
    (4, NULL, NULL, 'Ein Garten', NULL)`,
  `INSERT INTO t.comment (id, article_id, words) VALUES
    (1, 1, 'Schön'), (2, 1, 'Nicht schon wieder!'), (3, 1, 'Welch ein Garten'), (4, 2, 'schon'), (5, 3, 'Schade')`,
  `INSERT INTO t.remark (id, reading_id, level, count) VALUES (1, 1, 2, 1234), (2, NULL, NULL, NULL)`,
];
