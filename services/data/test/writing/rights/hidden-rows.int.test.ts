import { type DataFixture, startData } from '../../data-fixture.ts';
import { library } from '../library-application.ts';

const USERS = {
  admin: { resourceRoles: ['system-full-access'] },
  modest: { resourceRoles: ['system-full-access'], rowLevelRoles: ['no-secrets'] },
  archivist: { resourceRoles: ['archivist'] },
};

describe.each(['compatible', 'hardened'])('in the %s profile', (profile) => {
  let data: DataFixture;
  beforeAll(async () => {
    data = await startData(library, USERS, { 'svc.security.profile': profile });
  });
  afterAll(() => data.close());

  const send = (user: string, method: string, path: string, body?: unknown) =>
    data.send(user, method, `/entities/${path}`, body);
  const create = async (entity: string, body: unknown): Promise<string> => {
    const response = await send('admin', 'POST', entity, body);
    expect([response.status, response.text]).toEqual([201, expect.any(String)]);
    return response.json().id;
  };
  let number = 0;
  const text = () => `R${++number}`;
  const book = (hidden: boolean) => create('l_Book', { title: 'x', hidden });
  const topic = async (hidden: boolean) => {
    const name = text();
    return { name, id: await create('l_Topic', { name, hidden }) };
  };
  /** The response, and the texts of the statements of the request. */
  async function traced(method: string, path: string, body: unknown) {
    data.statements.length = 0;
    const response = await send('modest', method, path, body);
    return { status: response.status, text: response.text, statements: [...data.statements] };
  }

  describe('a reference to an instance that the caller cannot see', () => {
    const isHardened = profile === 'hardened';
    const cases: readonly [string, (ids: Record<string, string>) => Promise<[string, string, unknown]>][] = [
      ['of a new instance', async ({ book: id }) => ['POST', 'l_Loan', { book: { id } }]],
      [
        'of a stored instance',
        async ({ book: id }) => [
          'PUT',
          `l_Loan/${await create('l_Loan', { book: { id: await book(false) } })}`,
          { book: { id } },
        ],
      ],
      [
        'of a child',
        async ({ book: id }) => [
          'POST',
          'l_Shelf',
          { code: text(), boxes: [{ name: 'b', items: [{ name: 'i', book: { id } }] }] },
        ],
      ],
      ['in a collection', async ({ topic: id }) => ['POST', 'l_Shelf', { code: text(), topics: [{ id }] }]],
      [
        'in a collection of a stored instance',
        async ({ topic: id }) => ['PUT', `l_Shelf/${await create('l_Shelf', { code: text() })}`, { topics: [{ id }] }],
      ],
    ];

    // Asserts contract/decisions.md#73.
    test.each(cases)('%s', async (_case, request) => {
      const hidden = { book: await book(true), topic: (await topic(true)).id };
      const missing = { book: crypto.randomUUID(), topic: crypto.randomUUID() };
      const shown = { book: await book(false), topic: (await topic(false)).id };
      const [toHidden, toMissing, toShown] = [
        await traced(...(await request(hidden))),
        await traced(...(await request(missing))),
        await traced(...(await request(shown))),
      ];
      expect(toMissing.status).toBe(400);
      expect(toMissing.text).toContain('Referenced entity for property');
      expect(toShown.status).toBeLessThan(300);
      if (isHardened) expect(toHidden).toEqual(toMissing);
      else expect(toHidden.status).toBe(toShown.status);
    });

    // Asserts contract/decisions.md#73.
    test('is kept if it is stored already, with any other change', async () => {
      const id = await book(true);
      const loan = await create('l_Loan', { book: { id } });
      expect((await send('modest', 'PUT', `l_Loan/${loan}`, { day: '2026-01-01', book: { id } })).status).toBe(200);
      expect(await data.query('SELECT book_id, day::text FROM l.loan WHERE id = $1', [loan])).toEqual([
        { book_id: id, day: '2026-01-01' },
      ]);
    });

    // Asserts contract/decisions.md#73.
    test('is accepted if the same request creates the instance', async () => {
      const id = crypto.randomUUID();
      const response = await send('modest', 'POST', 'l_Shelf', {
        code: text(),
        boards: [{ id, label: text(), hidden: false, screws: [{ size: 1 }] }],
      });
      expect([response.status, response.text]).toEqual([201, expect.any(String)]);
    });
  });

  // Asserts contract/decisions.md#73.
  test('an instance that the caller cannot see is neither changed nor deleted: 404 as for a missing instance', async () => {
    const [hidden, missing] = [await book(true), crypto.randomUUID()];
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { title: 'y' } : undefined;
      const [one, other] = [
        await send('modest', method, `l_Book/${hidden}`, body),
        await send('modest', method, `l_Book/${missing}`, body),
      ];
      expect([one.status, one.text.replaceAll(hidden, missing)]).toEqual([404, other.text]);
    }
  });

  // Asserts contract/decisions.md#16.
  test('a value or an id in use is refused with the same response, whether its owner is visible or hidden', async () => {
    const [hidden, shown] = [await topic(true), await topic(false)];
    const responses = [];
    for (const { name, id } of [hidden, shown]) {
      const byName = await send('modest', 'POST', 'l_Topic', { name });
      const byId = await send('modest', 'POST', 'l_Topic', { id, name: text() });
      expect(byName.text).not.toContain(id);
      expect(byName.text).not.toContain(name);
      responses.push([byName.status, byName.text, byId.status, byId.text.replaceAll(id, 'ID')]);
    }
    expect(responses[0]).toEqual(responses[1]);
    expect(responses[0]).toEqual([
      409,
      JSON.stringify({
        error: 'Unique constraint violation',
        details: 'Entity l_Topic: another instance has the same name',
      }),
      409,
      JSON.stringify({ error: 'Entity already exists', details: 'Entity l_Topic with id ID already exists' }),
    ]);
  });

  test('the refusal of a deletion does not name entities that the caller may not read', async () => {
    const lent = await book(false);
    await create('l_Loan', { book: { id: lent } });
    const used = await topic(false);
    const shelf = await create('l_Shelf', { code: text(), boxes: [{ name: 'b', topics: [{ id: used.id }] }] });
    expect(shelf).toEqual(expect.any(String));
    const details = async (user: string, path: string) => {
      const response = await send(user, 'DELETE', path);
      expect(response.status).toBe(409);
      return response.json().details;
    };
    expect(await details('admin', `l_Book/${lent}`)).toBe(
      'Unable to delete l_Book because there are references from l_Loan',
    );
    expect(await details('archivist', `l_Book/${lent}`)).toBe(
      'Unable to delete l_Book because there are references to it',
    );
    expect(await details('admin', `l_Topic/${used.id}`)).toContain('l_Box');
    expect(await details('archivist', `l_Topic/${used.id}`)).toBe('An instance is referred to by another one');
  });

  // Asserts contract/writing.md#password-rules.
  test.each<[string, string, string]>([
    ['empty', '', 'Size'],
    ['one character', 'p', 'Size'],
    ['seven characters', '🔑'.repeat(7), 'Size'],
    ['common', 'Sunshine1', 'PasswordCommon'],
    ['a repetition', 'p'.repeat(30), 'PasswordPredictable'],
    ['a name of the user', 'Zacharias-24', 'PasswordPersonal'],
  ])('a password is refused that is %s, and not part of the response', async (_, password, rule) => {
    const values = { username: text(), firstName: 'Zacharias' };
    const user = await create('sec_User', values);
    for (const [method, path] of [
      ['POST', 'sec_User'],
      ['PUT', `sec_User/${user}`],
    ] as const) {
      const response = await send('admin', method, path, { ...values, username: text(), password });
      expect([response.status, response.json()]).toEqual([
        400,
        [
          {
            path: 'password',
            invalidValue: null,
            message: expect.stringMatching(/8|password/),
            messageTemplate: expect.stringContaining(`.${rule}.message`),
          },
        ],
      ]);
    }
  });

  // Asserts contract/writing.md#password-rules.
  test('a user can be changed without a new password', async () => {
    const user = await create('sec_User', { username: text(), password: 'correct horse' });
    expect((await send('admin', 'PUT', `sec_User/${user}`, { password: '' })).status).toBe(400);
    expect((await send('admin', 'PUT', `sec_User/${user}`, { active: false })).status).toBe(200);
  });
});
