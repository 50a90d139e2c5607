import {
  AccessDeniedError,
  defineApplication,
  entityListener,
  RestError,
  restMethod,
  service,
  t,
  ValidationError,
  withMessages,
} from '@lintel/application';
import {
  decimal,
  enumeration,
  enumOf,
  integer,
  keyedEntity,
  localDate,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { entityPolicy, resourceRole, viewAttributes } from '@lintel/security';
import { type DataFixture, startData, type TestResponse } from '../../test/data-fixture.ts';

const Size = enumeration('m.Size', { SMALL: 1, LARGE: 2 });
const application = withMessages(
  defineApplication({
    id: 'm',
    name: 'Messages',
    enums: [Size],
    entities: [
      keyedEntity('m_Box', {
        key: 'id',
        attributes: {
          id: integer(),
          size: enumOf(Size),
          price: decimal(9, 2),
          packedOn: localDate(),
          label: string(20).size(2, 20, '{msg://labelSize}'),
          count: integer().min(1),
        },
        instanceName: ['{size}', ' ', '{price}', ' ', '{packedOn}'],
        rules: [
          {
            message: '{msg:///m/largeNeedsPrice}',
            dependsOn: ['size', 'price'],
            test: ({ size, price }) => size !== 'LARGE' || price !== null,
          },
        ],
      }),
      standardEntity('m_Thing', { attributes: { box: toOne('m_Box') }, instanceName: ['box'] }),
      standardEntity('m_Guarded', { attributes: { name: string(50), note: string(100) } }),
      standardEntity('m_Base', { abstract: true, attributes: { name: string(10) } }),
      standardEntity('m_Derived', { extends: 'm_Base', attributes: { extra: string(10) } }),
    ],
    services: [
      service('m_Boxes', {
        made: restMethod({ returns: t.entity('m_Box') }, () => ({
          id: 1,
          size: 'LARGE',
          price: '1234.5',
          packedOn: '2026-11-05',
        })),
        loaded: restMethod({ params: { id: t.int }, returns: t.entity('m_Box') }, async ({ id }, { data: rows }) =>
          rows.unconstrained().load('m_Box', id),
        ),
        refuse: restMethod({}, () => {
          throw new ValidationError('{msg://guarded}');
        }),
        greet: restMethod({ returns: t.string }, (_, { message }) => message('m/labelSize', { min: 1, max: 2 })),
      }),
    ],
    listeners: [
      entityListener({
        entity: 'm_Guarded',
        async beforeSave({ after = {} }, { message }) {
          switch (after['name']) {
            case 'invalid':
              throw new ValidationError('{msg://guarded}');
            case 'refused':
              throw new RestError(418, message('m/guarded'), message('m/unknown'));
            case 'denied':
              throw new AccessDeniedError('Not you');
            case 'broken':
              throw new Error('A bug');
            default:
              return { note: message('m/labelSize', { min: 1, max: 1 }) };
          }
        },
      }),
    ],
    roles: [
      resourceRole('no-size', {
        name: 'No size',
        childRoles: ['rest-minimal'],
        policies: [entityPolicy('m_Box', 'read'), viewAttributes('m_Box', 'price')],
      }),
    ],
  }),
  [
    {
      locale: '',
      texts: {
        'm/Box': 'Box',
        'm/Size.SMALL': 'Small',
        'm/Size.LARGE': 'Large',
        'm/Base.name': 'Name',
        'm/labelSize': 'A label has {min} to {max, plural, one {# character} other {# characters}}',
        'm/largeNeedsPrice': 'A large box needs a price',
        'm/guarded': 'This is guarded',
      },
    },
    {
      locale: 'de',
      texts: {
        'm/Box': 'Kiste',
        'm/Size': 'Größe',
        'm/Size.LARGE': 'Groß',
        'm/Base.name': 'Bezeichnung',
        'm/labelSize': 'Ein Etikett hat {min} bis {max} Zeichen',
        'm/largeNeedsPrice': 'Eine große Kiste braucht einen Preis',
        'm/guarded': 'Das ist bewacht',
      },
    },
    { locale: 'zh', texts: { 'm/Box': '箱子' } },
  ],
);

let data: DataFixture;
let boxes = 0;

beforeAll(async () => {
  data = await startData(
    application,
    {
      admin: { resourceRoles: ['system-full-access'] },
      german: { resourceRoles: ['system-full-access'], locale: 'de' },
      french: { resourceRoles: ['system-full-access'], locale: 'fr' },
      walker: { resourceRoles: ['system-full-access'] },
      blind: { resourceRoles: ['no-size'], locale: 'de' },
      restricted: { resourceRoles: [] },
    },
    { 'svc.core.available-locales': 'en,de,zh_CN' },
  );
});
afterAll(() => data.close());

const as = (user: string, language?: string) => {
  const headers = language === undefined ? {} : { 'accept-language': language };
  return (method: string, path: string, body?: unknown): Promise<TestResponse> =>
    data.send(user, method, path, body, headers);
};
async function newBox(values: Record<string, unknown> = {}): Promise<number> {
  boxes += 1;
  const body = { id: boxes, size: 'LARGE', price: '1234.50', packedOn: '2026-11-05', ...values };
  expect((await as('admin')('POST', '/entities/m_Box', body)).status).toBe(201);
  return boxes;
}

describe('instance names', () => {
  // Asserts contract/conventions.md#locale, contract/instances.md#instance-name.
  test.each([
    ['admin', undefined, 'Large 1,234.50 05/11/2026'],
    ['german', undefined, 'Groß 1.234,50 05.11.2026'],
    ['admin', 'de-AT,en;q=0.5', 'Groß 1.234,50 05.11.2026'],
    ['german', 'en', 'Large 1,234.50 05/11/2026'],
    ['admin', 'zh-cn', 'Large 1,234.50 2026-11-05'],
    ['french', undefined, 'Large 1,234.50 05/11/2026'],
    ['german', 'fr', 'Groß 1.234,50 05.11.2026'],
  ])('of %s with Accept-Language %j are %j', async (user, language, name) => {
    const id = await newBox();
    const { status, headers, json } = await as(user, language)('GET', `/entities/m_Box/${id}`);
    expect([status, json()._instanceName, json().size]).toEqual([200, name, 'LARGE']);
    expect(headers.get('vary')).toBe('Authorization, Accept-Language');
  });

  // Asserts contract/conventions.md#locale, contract/instances.md#instance-name.
  test('in lists, in references and in responses of writes have the same language', async () => {
    const id = await newBox();
    const german = as('german');
    const plan = { entity: 'm_Thing', properties: [{ name: 'box', fetchPlan: { properties: ['size'] } }] };
    const created = await german(
      'POST',
      `/entities/m_Thing?responseFetchPlan=${encodeURIComponent(JSON.stringify(plan))}`,
      {
        box: { id },
      },
    );
    const name = 'Groß 1.234,50 05.11.2026';
    expect([created.status, created.json()._instanceName, created.json().box._instanceName]).toEqual([201, name, name]);
    const list = await german('GET', '/entities/m_Thing');
    expect(list.json().map((thing: { _instanceName: string }) => thing._instanceName)).toEqual([name]);
  });

  // Asserts contract/decisions.md#29.
  test('do not contain an enum that the caller may not view', async () => {
    const id = await newBox();
    const { json } = await as('blind')('GET', `/entities/m_Box/${id}`);
    expect(json()._instanceName).toBe(' 1.234,50 ');
  });

  // Asserts contract/decisions.md#54.
  test('of one instance have an entity tag for each language, and the other language is not 304', async () => {
    const path = `/entities/m_Box/${await newBox()}`;
    const english = (await as('admin', 'en')('GET', path)).headers.get('etag') ?? '';
    const german = (await as('admin', 'de')('GET', path)).headers.get('etag') ?? '';
    expect(german).not.toBe(english);
    const ask = (language: string, tag: string) =>
      data.send('admin', 'GET', path, undefined, { 'accept-language': language, 'if-none-match': tag });
    expect([(await ask('de', german)).status, (await ask('de', english)).status]).toEqual([304, 200]);
  });
});

describe('validation messages', () => {
  const violations = async (language: string | undefined, body: Record<string, unknown>) => {
    boxes += 1;
    const response = await as('admin', language)('POST', '/entities/m_Box', { id: boxes, ...body });
    expect(response.status).toBe(400);
    return response
      .json()
      .map(({ message, messageTemplate, path }: Record<string, string>) => [path, message, messageTemplate]);
  };

  // Asserts contract/writing.md#validation.
  test.each([
    [undefined, 'A label has 2 to 20 characters'],
    ['de', 'Ein Etikett hat 2 bis 20 Zeichen'],
    ['zh-CN', 'A label has 2 to 20 characters'],
  ])('of the application with Accept-Language %j are resolved, and the template is kept', async (language, message) => {
    expect(await violations(language, { label: 'x' })).toEqual([['label', message, '{msg://labelSize}']]);
  });

  test.each([
    [undefined, 'must be greater than or equal to 1'],
    ['de', 'muss größer oder gleich 1 sein'],
    ['zh-CN', '必须大于或等于 1'],
  ])('of the platform with Accept-Language %j are %j', async (language, message) => {
    expect(await violations(language, { count: 0 })).toEqual([
      ['count', message, '{jakarta.validation.constraints.DecimalMin.message}'],
    ]);
  });

  test('of a rule of the entity are resolved too', async () => {
    expect(await violations('de', { size: 'LARGE' })).toEqual([
      ['', 'Eine große Kiste braucht einen Preis', '{msg:///m/largeNeedsPrice}'],
    ]);
  });
});

describe('listeners', () => {
  const create = (name: string, language: string) =>
    as('admin', language)('POST', '/entities/m_Guarded?responseFetchPlan=_local', { name });

  test('find texts in the language of the caller, filled with parameters', async () => {
    expect((await create('x', 'en')).json().note).toBe('A label has 1 to 1 character');
    expect((await create('x', 'de')).json().note).toBe('Ein Etikett hat 1 bis 1 Zeichen');
  });

  // Asserts contract/writing.md#listeners.
  test.each([
    [
      'invalid',
      400,
      [
        {
          message: 'Das ist bewacht',
          messageTemplate: '{io.jmix.core.validation.CustomValidationException}',
          path: '',
          invalidValue: null,
        },
      ],
    ],
    ['refused', 418, { error: 'Das ist bewacht', details: 'm/unknown' }],
    ['denied', 403, { error: 'Forbidden', details: 'Not you' }],
    ['broken', 500, { error: 'Server error', details: '' }],
  ])('that throw because of %s cause the status %d, and nothing is saved', async (name, status, body) => {
    const response = await create(name, 'de');
    expect([response.status, response.json()]).toEqual([status, body]);
    expect(await data.query('SELECT 1 FROM m.guarded WHERE name = $1', [name])).toEqual([]);
  });
});

describe('service methods', () => {
  const call = (method: string, body: object = {}) => as('german')('POST', `/services/m_Boxes/${method}`, body);

  // Asserts contract/instances.md#instance-name.
  test('return instance names in the language of the caller, for loaded and new instances', async () => {
    const name = 'Groß 1.234,50 05.11.2026';
    expect((await call('made')).json()._instanceName).toBe(name);
    expect((await call('loaded', { id: await newBox() })).json()._instanceName).toBe(name);
  });

  test('find texts in that language', async () => {
    expect((await call('greet')).text).toBe('Ein Etikett hat 1 bis 2 Zeichen');
    const refused = await call('refuse');
    expect([refused.status, refused.json()[0].message]).toEqual([400, 'Das ist bewacht']);
  });
});

describe('the messages endpoints', () => {
  // Asserts contract/messages.md#messages.
  test('return captions of an entity and its attributes, sorted by key', async () => {
    const { status, headers, json } = await as('german')('GET', '/messages/entities/m_Derived');
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
      200,
      'application/json',
      'Authorization, Accept-Language',
    ]);
    expect(json()).toEqual({
      m_Derived: 'Derived',
      'm_Derived.id': 'ID',
      'm_Derived.version': 'Version',
      'm_Derived.createdBy': 'Angelegt von',
      'm_Derived.createdDate': 'Angelegt am',
      'm_Derived.lastModifiedBy': 'Zuletzt geändert von',
      'm_Derived.lastModifiedDate': 'Zuletzt geändert am',
      'm_Derived.name': 'Bezeichnung',
      'm_Derived.extra': 'Extra',
    });
    expect(Object.keys(json())).toEqual(Object.keys(json()).sort());
  });

  test('return captions of all entities, including abstract ones and those of the platform', async () => {
    const all = (await as('admin', 'zh')('GET', '/messages/entities')).json();
    expect(all).toMatchObject({ m_Box: '箱子', m_Base: 'Base', sec_User: '用户', 'sec_User.username': '用户名' });
    expect(Object.keys(all)).toEqual(Object.keys(all).sort());
  });

  test('return captions of enums and their constants', async () => {
    const large = { 'm.Size': 'Größe', 'm.Size.LARGE': 'Groß', 'm.Size.SMALL': 'Small' };
    expect((await as('german')('GET', '/messages/enums/m.Size')).json()).toEqual(large);
    const all = (await as('admin', 'de')('GET', '/messages/enums')).json();
    expect(all).toMatchObject(large);
    expect(Object.keys(all)).toEqual(Object.keys(all).sort());
  });

  test('return 304 to a client that has the texts of that language', async () => {
    const path = '/messages/enums';
    const tag = (await as('german')('GET', path)).headers.get('etag') ?? '';
    const ask = (language: string) =>
      data.send('german', 'GET', path, undefined, { 'if-none-match': tag, 'accept-language': language });
    expect([(await ask('de')).status, (await ask('en')).status]).toEqual([304, 200]);
  });

  // Asserts contract/messages.md#messages.
  test('serve callers without any right to read', async () => {
    expect((await as('blind')('GET', '/messages/entities/m_Thing')).json()).toMatchObject({ m_Thing: 'Thing' });
  });

  test.each([
    [
      'admin',
      'GET',
      '/messages/entities/m_None',
      404,
      { error: 'Entity not found', details: 'Entity m_None not found' },
    ],
    [
      'admin',
      'GET',
      '/messages/enums/m.None',
      404,
      { error: 'Enum not found', details: 'Enum with class name m.None not found' },
    ],
    ['admin', 'GET', '/messages/enums/toString', 404, { error: 'Enum not found', details: expect.any(String) }],
    ['admin', 'POST', '/messages/entities', 405, { error: 'Method not allowed', details: expect.any(String) }],
    ['restricted', 'GET', '/messages/enums', 403, { error: 'Forbidden', details: expect.any(String) }],
  ])('refuse %s, %s %s: %d', async (user, method, path, status, body) => {
    const response = await as(user)(method, path);
    expect([response.status, response.json()]).toEqual([status, body]);
  });
});

describe('the locale of a session', () => {
  test('is stored, and a header has priority', async () => {
    const name = async (language?: string) =>
      (await as('walker', language)('GET', '/userInfo')).json().locale as string;
    expect(await name()).toBe('en');
    const response = await as('walker', 'zh-cn,de;q=0.5')('PUT', '/user-session/locale');
    expect([response.status, response.text]).toEqual([200, '']);
    expect([await name(), await name('de')]).toEqual(['zh_CN', 'de']);
  });

  test.each([['fr'], ['*'], [''], [undefined]])('is not changed by Accept-Language %j: 422', async (language) => {
    const response = await as('german', language)('PUT', '/user-session/locale');
    expect([response.status, response.json()]).toEqual([
      422,
      {
        error: 'Could not change user session locale',
        details: 'Accept-Language names no available locale: en, de, zh_CN',
      },
    ]);
    expect((await as('german')('GET', '/userInfo')).json().locale).toBe('de');
  });
});
