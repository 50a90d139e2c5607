import { inspect } from 'node:util';
import { type DataFixture, NOW, startData } from '../data-fixture.ts';
import { shop, WORK, type Work } from './shop-application.ts';

let fixture: DataFixture;

beforeAll(async () => {
  fixture = await startData(shop, {
    admin: { resourceRoles: ['system-full-access'] },
    rowLimited: { resourceRoles: ['system-full-access'], rowLevelRoles: ['few'] },
    attributeLimited: { resourceRoles: ['reader'] },
  });
  await fixture.query("INSERT INTO t.city VALUES ('BE', 'Bern'), ('ZH', 'Zurich')");
});
afterAll(() => fixture.close());

let calls = 0;

/** Runs the work as a service method of the user. */
async function run(work: Work, { user = 'admin', method = 'perform' } = {}) {
  calls += 1;
  const name = `work${calls}`;
  WORK.set(name, work);
  const { status, text } = await fixture.send(user, 'POST', `/services/t_Work/${method}`, { name });
  return { status, body: text === '' ? undefined : JSON.parse(text) };
}
const together = (work: Work, user = 'admin') => run(work, { user, method: 'together' });
const lastError = () => inspect(fixture.errors.at(-1));
const count = async (text: string, values: readonly unknown[] = []): Promise<number> =>
  (await fixture.query(text, [...values])).length;

/** A barrier: resolves for all when that many have arrived. */
function meetingOf(expected: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === expected) resolve();
    return promise;
  };
}

test('repositories and query builders read the entities of the model with their attributes', async () => {
  await fixture.send('admin', 'POST', '/entities/t_Customer', {
    name: 'Ada',
    grade: 'HIGH',
    mainAddress: { street: 'A 1', postOffice: 'PO', city: { id: 'BE' } },
    secretCode: 'hidden',
    orders: [],
  });
  const { body } = await run(async (data, open) => {
    const db = await open(data);
    const [ada] = await db.getRepository('t_Customer').find({
      where: { grade: 'HIGH', mainAddress: { street: 'A 1' } },
      relations: { mainAddress: { city: true } },
    });
    const names = await db
      .createQueryBuilder('t_Customer', 'c')
      .innerJoin('c.mainAddress.city', 'city')
      .where('city.name = :name', { name: 'Bern' })
      .select(['c.name AS name', 'city.code AS code'])
      .getRawMany();
    return { ada, names, raw: await db.query('SELECT count(*)::int AS n FROM t.city WHERE code <> $1', ['ZH']) };
  });
  expect(body.names).toEqual([{ name: 'Ada', code: 'BE' }]);
  expect(body.raw).toEqual([{ n: 1 }]);
  expect(body.ada).toMatchObject({
    name: 'Ada',
    grade: 'HIGH',
    points: 3,
    version: 1,
    createdBy: 'admin',
    createdDate: NOW,
    mainAddress: { street: 'A 1', postOffice: 'PO', city: { code: 'BE', name: 'Bern' } },
  });
  expect(body.ada).not.toHaveProperty('secretCode');
});

test('values have the same form as those of the data manager', async () => {
  const { status, body } = await run(async (data, open) => {
    const id = String(
      await data.create('t_Moments', {
        day: '2026-02-03',
        oldDay: '2026-02-03',
        at: '2026-02-03T04:05:06.700',
        oldAt: '2026-02-03T04:05:06.000',
        instant: '2026-02-03T04:05:06.700+01:00',
        time: '04:05:06',
        zoned: '04:05:06+01:00',
        bytes: 'AQID',
        count: '9007199254740993',
      }),
    );
    const db = await open(data);
    const repository = db.getRepository('t_Moments');
    const found = await repository.findOneByOrFail({ id, at: new Date('2026-02-03T04:05:06.700Z') });
    const again = await repository.save({ ...found });
    const later = await repository
      .createQueryBuilder('m')
      .where('m.at > :from', { from: new Date('2026-02-03T04:05:06.699Z') })
      .getCount();
    return { loaded: await data.load('t_Moments', id), found, version: again['version'], later };
  });
  expect(status).toBe(200);
  const { bytes, ...found } = body.found;
  expect(Buffer.from(bytes.data).toString('base64')).toBe(body.loaded.bytes);
  for (const name of ['day', 'oldDay', 'at', 'oldAt', 'instant', 'time', 'zoned', 'createdDate'])
    expect([name, found[name]]).toEqual([name, body.loaded[name]]);
  expect(found.count).toBe('9007199254740993');
  // Without changes nothing is written.
  expect([body.version, body.later]).toEqual([1, 1]);
});

test('a saved instance has its id, defaults, version and audit attributes, with children and links', async () => {
  const { status, body } = await together(async (data, open) => {
    const db = await open(data);
    const customer = await db.getRepository('t_Customer').save({ name: 'Bob', grade: 'LOW' });
    const tag = await db.getRepository('t_Tag').save({ label: 'new' });
    const order = await db
      .getRepository('t_Order')
      .save({ number: 'N1', amount: '12.30', customer, tags: [tag], lines: [{ quantity: 1 }, { quantity: 2 }] });
    await db.getRepository('t_Customer').save({ id: customer['id'], name: 'Bobby' });
    return { order: order['id'], customer: customer['id'] };
  });
  expect([status, body]).toEqual([200, { order: expect.any(String), customer: expect.any(String) }]);
  const stored = (await fixture.send('admin', 'GET', `/entities/t_Customer/${body.customer}`)).json();
  expect(stored).toMatchObject({
    name: 'Bobby',
    grade: 'LOW',
    points: 3,
    version: 2,
    createdBy: 'admin',
    createdDate: NOW,
  });
  expect(stored).toMatchObject({ lastModifiedBy: 'admin', lastModifiedDate: NOW });
  const lines = () => count('SELECT 1 FROM t.line WHERE order_id = $1', [body.order]);
  expect(await lines()).toBe(2);
  expect(await count('SELECT 1 FROM t.order_tags_link')).toBe(1);
  await run(async (data, open) => {
    const orders = (await open(data)).getRepository('t_Order');
    const order = await orders.findOneOrFail({ where: { id: body.order }, relations: { lines: true } });
    await orders.save({ ...order, lines: order['lines'].slice(1) });
  });
  // A child that is removed from its parent is deleted.
  expect([await lines(), await count('SELECT 1 FROM t.line')]).toEqual([1, 1]);
});

test('an instance of a soft-deleted entity is soft-deleted, and reads do not find it any more', async () => {
  const { body } = await run(async (data, open) => {
    const repository = (await open(data)).getRepository('t_Customer');
    const gone = await repository.save({ name: 'Gone' });
    await repository.softRemove({ ...gone });
    return { id: gone['id'], found: await repository.countBy({ id: gone['id'] }) };
  });
  expect(body.found).toBe(0);
  expect((await fixture.send('admin', 'GET', `/entities/t_Customer/${body.id}`)).status).toBe(404);
  expect(await count('SELECT 1 FROM t.customer WHERE id = $1 AND deleted_date IS NOT NULL', [body.id])).toBe(1);
});

test('composite keys, inherited tables and collections of single values have schemas', async () => {
  const { status, body } = await together(async (data, open) => {
    const db = await open(data);
    await db.getRepository('t_Desk').save({ location: { floor: 1, room: 2 }, color: 'red' });
    await data.create('t_Chair', { desk: { id: { floor: 1, room: 2 } } });
    const truck = await data.create('t_Truck', { plate: 'BE 1', load: 40 });
    const id = await data.create('t_Customer', { name: 'Cy', nicknames: ['a', 'b'] });
    return {
      desk: await db.getRepository('t_Desk').findOneBy({ location: { floor: 1, room: 2 } }),
      chair: await db.getRepository('t_Chair').findOneBy({ desk_location_room: 2 }),
      truck: await db.getRepository('t_Truck').findOneBy({ id: truck }),
      vehicle: await db.getRepository('t_Vehicle').findOneBy({ id: truck }),
      nicknames: await db
        .getRepository('t_Customer.nicknames')
        .find({ where: { customer_id: id }, order: { position: 'ASC' } }),
    };
  });
  expect([status, status === 200 || lastError()]).toEqual([200, true]);
  expect(body).toMatchObject({
    desk: { color: 'red' },
    chair: { desk_location_floor: 1, desk_location_room: 2 },
    truck: { load: 40 },
    vehicle: { plate: 'BE 1', _entityName: 't_Truck' },
    nicknames: [{ value: 'a' }, { value: 'b' }],
  });
});

test('a service method, the data manager and TypeORM share one transaction, which is rolled back as a whole', async () => {
  const write =
    (name: string, fails: boolean): Work =>
    async (data, open) => {
      await data.create('t_Customer', { name });
      const repository = (await open(data)).getRepository('t_Customer');
      // Each reads the changes of the other.
      const seen = await repository.countBy({ name });
      await repository.insert({ name });
      const all = await data.count('t_Customer', {
        filter: { conditions: [{ property: 'name', operator: '=', value: name }] },
      });
      if (fails) throw new Error('Not today');
      return [seen, all];
    };
  expect((await together(write('rolled back', true))).status).toBe(500);
  expect(await count("SELECT 1 FROM t.customer WHERE name = 'rolled back'")).toBe(0);
  expect((await together(write('kept', false))).body).toEqual([1, 2]);
  expect(await count("SELECT 1 FROM t.customer WHERE name = 'kept'")).toBe(2);
});

test('a nested transaction of TypeORM is a savepoint: its failure rolls back only its own changes', async () => {
  const { status, body } = await together(async (data, open) => {
    const db = await open(data);
    await db.getRepository('t_City').insert({ code: 'A', name: 'outer' });
    const failed = await db
      .transaction(async (manager) => {
        await manager.insert('t_City', { code: 'B', name: 'inner' });
        // The database refuses it, and the transaction continues.
        await manager.insert('t_City', { code: 'B', name: 'twice' });
      })
      .catch((error: { readonly code: string }) => error.code);
    await db.transaction(async (manager) => {
      await manager.insert('t_City', { code: 'C', name: 'nested' });
      await manager.transaction((inner) => inner.insert('t_City', { code: 'D', name: 'deeper' }));
    });
    return [failed];
  });
  expect([status, body]).toEqual([200, [expect.stringMatching(/^DATA_UNIQUE/)]]);
  const rows = await fixture.query<{ code: string }>(
    "SELECT code FROM t.city WHERE code IN ('A','B','C','D') ORDER BY 1",
  );
  expect(rows.map(({ code }) => code)).toEqual(['A', 'C', 'D']);
});

test('transactions of TypeORM that end out of order are rolled back; the method decides about its other changes', async () => {
  const { body } = await together(async (data, open) => {
    const db = await open(data);
    const [first, second] = [db.createQueryRunner(), db.createQueryRunner()];
    await first.startTransaction();
    await first.manager.insert('t_City', { code: 'E', name: 'first' });
    await second.startTransaction();
    await second.manager.insert('t_City', { code: 'F', name: 'second' });
    const message = await first.commitTransaction().catch((error: Error) => error.message);
    const later = await second.manager
      .insert('t_City', { code: 'G', name: 'late' })
      .catch((error: Error) => error.message);
    await second.release();
    await first.release();
    return [message, later];
  });
  expect(body).toEqual([expect.stringContaining('must be nested'), expect.stringContaining('must be nested')]);
  expect(await count("SELECT 1 FROM t.city WHERE code IN ('E','F','G')")).toBe(0);
});

test('an unfinished transaction of TypeORM rolls back everything', async () => {
  const { status } = await together(async (data, open) => {
    const runner = (await open(data)).createQueryRunner();
    await runner.startTransaction();
    await runner.manager.insert('t_City', { code: 'H', name: 'open' });
  });
  expect([status, await count("SELECT 1 FROM t.city WHERE code = 'H'")]).toEqual([500, 0]);
  expect(lastError()).toContain('neither committed nor rolled back');
});

test('outside of a transaction TypeORM has its own transactions; an unfinished one is rolled back after the call', async () => {
  const { status } = await run(async (data, open) => {
    const db = await open(data);
    await db.transaction('SERIALIZABLE', (manager) => manager.insert('t_City', { code: 'I', name: 'own' }));
    await db
      .transaction(async (manager) => {
        await manager.insert('t_City', { code: 'J', name: 'undone' });
        throw new Error('undo');
      })
      .catch(() => {});
    const runner = db.createQueryRunner();
    await runner.startTransaction();
    await runner.manager.insert('t_City', { code: 'K', name: 'forgotten' });
  });
  expect(status).toBe(204);
  // The lock on the row was released with its transaction.
  await fixture.query("INSERT INTO t.city VALUES ('K', 'free')");
  const rows = await fixture.query<{ name: string }>(
    "SELECT name FROM t.city WHERE code IN ('I','J','K') ORDER BY code",
  );
  expect(rows.map(({ name }) => name)).toEqual(['own', 'free']);
});

test.each(['rowLimited', 'attributeLimited'])(
  '%s is refused, unless the method requests it without limits',
  async (user) => {
    const refused = await run(async (data, open) => (await open(data)).getRepository('t_City').find(), { user });
    expect([refused.status, refused.body.error]).toEqual([403, 'Forbidden']);
    expect(refused.body.details).toContain('unconstrained().dataSource()');
    const all = await run(
      async (data, open) => (await open(data.unconstrained())).getRepository('t_City').countBy({ code: 'ZH' }),
      {
        user,
      },
    );
    expect([all.status, all.body]).toEqual([200, 1]);
  },
);

test('a data source is closed after the call or its transaction', async () => {
  const kept: { find(): Promise<unknown> }[] = [];
  const keep: Work = async (data, open) => {
    kept.push((await open(data)).getRepository('t_City'));
  };
  await run(keep);
  await together(keep);
  WORK.set('kept', keep);
  await fixture.send('admin', 'GET', '/t/kept');
  await run(async (data, open) => {
    await data.inTransaction((within) => keep(within, open));
    await kept[3]?.find();
  });
  expect(lastError()).toContain('a transaction that has ended');
  await expect(kept[0]?.find()).rejects.toThrow('of a call that has ended');
  await expect(kept[1]?.find()).rejects.toThrow('of a transaction that has ended');
  await expect(kept[2]?.find()).rejects.toThrow('of a call that has ended');
});

test('parallel calls use different connections', async () => {
  const meetings = [meetingOf(3), meetingOf(3)];
  const work: Work = async (data, open) => {
    const db = await open(data);
    const [{ pid }] = await db.query('SELECT pg_backend_pid() AS pid');
    await db.getRepository('t_City').insert({ code: `P${pid % 1000}`, name: 'parallel' });
    await meetings[0]?.();
    // Changes of the others are invisible, since none has committed.
    const seen = await db.getRepository('t_City').countBy({ name: 'parallel' });
    await meetings[1]?.();
    return { pid, seen };
  };
  const results = await Promise.all([together(work), together(work), together(work)]);
  expect(new Set(results.map(({ body }) => body.pid)).size).toBe(3);
  expect(results.map(({ body }) => body.seen)).toEqual([1, 1, 1]);
});

test('TypeORM cannot change the schema, the session, transactions and entities of the platform', async () => {
  const { body } = await together(async (data, open) => {
    const db = await open(data);
    const message = (work: Promise<unknown>) => work.then(String, (error: Error) => error.message);
    return [
      await message(db.synchronize()),
      await message(db.dropDatabase()),
      await message(db.runMigrations()),
      await message(db.query('COMMIT')),
      await message(db.query('SET search_path = other')),
      await message(db.query('/* x */ LISTEN channel')),
      await message(db.getRepository('t_City').createQueryBuilder().stream()),
      await message(db.transaction('SERIALIZABLE', async () => {})),
      await message(db.getRepository('sec_User').save({ username: 'Eve' })),
      await message(db.getRepository('sec_ResourceRole').update({ code: 'reader' }, { name: 'x' })),
    ];
  });
  expect(body).toEqual([
    expect.stringContaining('migrations'),
    expect.stringContaining('migrations'),
    expect.stringContaining('migrations'),
    expect.stringContaining('not begun'),
    expect.stringContaining('may not run this statement'),
    expect.stringContaining('may not run this statement'),
    expect.stringContaining('pg-query-stream'),
    expect.stringContaining('isolation level'),
    expect.stringContaining('by `data` only'),
    expect.stringContaining('by `data` only'),
  ]);
});

test('cached results of predefined queries are invalidated by every kind of write of TypeORM', async () => {
  const names = async () => {
    const rows = (await fixture.send('admin', 'GET', '/queries/t_Badge/cached')).json() as readonly { name: string }[];
    return rows.map(({ name }) => name);
  };
  expect(await names()).toEqual([]);
  await fixture.query("INSERT INTO t.badge VALUES ('Q0', 'by another')");
  expect(await names()).toEqual([]);
  const insert =
    (code: string): Work =>
    async (data, open) => {
      await (await open(data)).getRepository('t_Badge').insert({ code, name: code });
    };
  await run(insert('Q1'));
  expect(await names()).toEqual(['by another', 'Q1']);
  await together(insert('Q2'));
  expect(await names()).toEqual(['by another', 'Q1', 'Q2']);
  await run(async (data, open) =>
    (await open(data)).transaction((manager) => manager.insert('t_Badge', { code: 'Q3', name: 'Q3' })),
  );
  expect(await names()).toEqual(['by another', 'Q1', 'Q2', 'Q3']);
});

test('an error of the database is the same error as that of the data manager', async () => {
  const insert: Work = async (data, open) => {
    await (await open(data)).getRepository('t_Order').insert({ number: 'twice' });
  };
  expect((await together(insert)).status).toBe(204);
  const viaData = await fixture.send('admin', 'POST', '/entities/t_Order', { number: 'twice' });
  for (const { status, body } of [await together(insert), await run(insert)])
    expect([status, body]).toEqual([viaData.status, viaData.json()]);
});
