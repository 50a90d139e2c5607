import { createServer } from 'node:net';

const [BOOL, BYTEA, INT8, INT4, TEXT] = [16, 17, 20, 23, 25];
const PROCESS_ID = 1;
const NO_ROWS = { columns: [], rows: [] };

/** What a start reads of a database that has its schema and no rows. */
const RESULTS = [
  [/ pg_backend_pid\(\) AS pid$/, [['pid', INT4, String(PROCESS_ID)]]],
  [/ AS there$/, [['there', BOOL, 't']]],
  [/ AS taken$/, [['taken', BOOL, 't']]],
  [/ FROM sec\.role_snapshot$/, snapshot('{"resourceRoles":[],"rowLevelRoles":[]}')],
  [/ FROM sys\.message_snapshot$/, snapshot('[]')],
  [/ FROM report\.report_snapshot$/, snapshot('{"groups":[],"reports":[]}')],
].map(([text, fields]) => [
  text,
  { columns: fields.map(([name, type]) => [name, type]), rows: [fields.map((f) => f[2])] },
]);

function snapshot(body) {
  return [
    ['version', TEXT, '0'],
    ['body', TEXT, body],
  ];
}

const KEY_COLUMNS = [
  ['kid', TEXT],
  ['public_jwk', TEXT],
  ['private_jwk_encrypted', BYTEA],
  ['created_ms', INT8],
];

/**
 * A server that speaks the protocol of PostgreSQL and knows no SQL: it accepts every login, and each statement
 * succeeds without rows, except those of `RESULTS`. It keeps the signing keys that auth creates.
 */
export function createEmptyPostgres() {
  const keys = [];
  return createServer((socket) => {
    const session = new Session(socket, keys);
    socket.on('data', (data) => session.receive(data));
    socket.on('error', () => {});
  });
}

class Session {
  #socket;
  #keys;
  #rest = Buffer.alloc(0);
  #isStarted = false;
  #texts = new Map();
  #bound = '';

  constructor(socket, keys) {
    this.#socket = socket;
    this.#keys = keys;
  }

  receive(data) {
    this.#rest = Buffer.concat([this.#rest, data]);
    const sent = [];
    for (;;) {
      const from = this.#isStarted ? 1 : 0;
      if (this.#rest.length < from + 4) break;
      const to = from + this.#rest.readInt32BE(from);
      if (this.#rest.length < to) break;
      const type = this.#isStarted ? String.fromCharCode(this.#rest[0]) : '';
      sent.push(...this.#respond(type, this.#rest.subarray(from + 4, to)));
      this.#rest = this.#rest.subarray(to);
    }
    if (sent.length > 0) this.#socket.write(Buffer.concat(sent));
  }

  #respond(type, body) {
    switch (type) {
      case '':
        this.#isStarted = true;
        return [message('R', int32(0)), message('K', int32(PROCESS_ID), int32(0)), READY];
      case 'Q':
        return [...this.#describe(stringAt(body, 0).text), ...this.#execute(stringAt(body, 0).text), READY];
      case 'P': {
        const name = stringAt(body, 0);
        this.#texts.set(name.text, stringAt(body, name.end).text);
        return [message('1')];
      }
      case 'B':
        this.#bind(body);
        return [message('2')];
      case 'D':
        return body[0] === 0x53
          ? [message('t', int16(0)), ...this.#describe(this.#texts.get(stringAt(body, 1).text) ?? '')]
          : this.#describe(this.#bound);
      case 'E':
        return this.#execute(this.#bound);
      case 'C':
        return [message('3')];
      case 'S':
        return [READY];
      default:
        return [];
    }
  }

  #bind(body) {
    const statement = stringAt(body, stringAt(body, 0).end);
    this.#bound = this.#texts.get(statement.text) ?? '';
    if (!this.#bound.startsWith('INSERT INTO auth.signing_key ')) return;
    const [kid, , publicJwk, encrypted] = parametersAt(body, statement.end);
    this.#keys.unshift([kid, publicJwk, `\\x${encrypted.toString('hex')}`, String(Date.now())]);
  }

  #resultOf(text) {
    if (text.includes('FROM auth.signing_key WHERE')) return { columns: KEY_COLUMNS, rows: this.#keys };
    return RESULTS.find(([pattern]) => pattern.test(text))?.[1] ?? NO_ROWS;
  }

  #describe(text) {
    const { columns } = this.#resultOf(text);
    if (columns.length === 0) return [message('n')];
    const fields = columns.map(([name, type]) =>
      Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)]),
    );
    return [message('T', int16(fields.length), ...fields)];
  }

  #execute(text) {
    const { rows } = this.#resultOf(text);
    const values = (row) => row.flatMap((value) => [int32(Buffer.byteLength(value)), Buffer.from(value)]);
    return [
      ...rows.map((row) => message('D', int16(row.length), ...values(row))),
      message('C', Buffer.from(`SELECT ${rows.length}\0`)),
    ];
  }
}

function parametersAt(body, start) {
  let at = start + 2 + 2 * body.readInt16BE(start);
  const count = body.readInt16BE(at);
  at += 2;
  return Array.from({ length: count }, () => {
    const length = Math.max(0, body.readInt32BE(at));
    at += 4 + length;
    return Buffer.from(body.subarray(at - length, at));
  });
}

function stringAt(body, start) {
  const end = body.indexOf(0, start);
  return { text: body.toString('utf8', start, end), end: end + 1 };
}

function message(type, ...parts) {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value) {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

const READY = message('Z', Buffer.from('I'));
