import { as, send } from './api.ts';

describe('the current user (specification 4.11, contract security §§3.7, 7.1)', () => {
  test('userInfo has name, locale and attributes, and no password', async () => {
    const answer = await as('clerk', 'GET', '/userInfo');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(answer.json()).toMatchObject({
      username: 'clerk',
      locale: 'de',
      attributes: { username: 'clerk', country: 'DE', active: true },
    });
    expect(answer.text).not.toMatch(/password|argon2/);
  });

  test('Accept-Language chooses an available locale (decision 27)', async () => {
    const locale = async (language: string): Promise<string> =>
      (await as('clerk', 'GET', '/userInfo', { headers: { 'accept-language': language } })).json().locale;
    expect(await locale('zh-cn')).toBe('zh_CN');
    expect(await locale('fr, en;q=0.5')).toBe('en');
    expect(await locale('xx')).toBe('de');
  });

  test('permissions list every target, denied ones with 0 (decision 20)', async () => {
    const answer = await as('clerk', 'GET', '/permissions');
    expect(answer.status).toBe(200);
    const { authorities, entities, entityAttributes, specifics } = answer.json();
    expect(authorities).toEqual(expect.arrayContaining(['rest-minimal', 'sales-clerk']));
    const permissionValue = (list: { target: string; value: number }[], target: string) =>
      list.find((entry) => entry.target === target)?.value;
    expect(permissionValue(entities, 'sales_Order:read')).toBe(1);
    expect(permissionValue(entities, 'sales_Order:create')).toBe(0);
    expect(permissionValue(entityAttributes, 'sales_Order:status')).toBe(2);
    expect(permissionValue(entityAttributes, 'sales_Order:number')).toBe(1);
    expect(permissionValue(entityAttributes, 'sales_Customer:creditLimit')).toBe(0);
    expect(permissionValue(specifics, 'rest.enabled')).toBe(1);
    expect(permissionValue(specifics, 'rest.fileUpload.enabled')).toBe(0);
  });

  test('unknown query parameters on permissions are accepted (decision 34)', async () => {
    expect((await as('clerk', 'GET', '/permissions?entities=true')).status).toBe(200);
  });
});

describe('the API about itself', () => {
  test('version is text, whatever Accept says (decisions 35, 57)', async () => {
    const answer = await as('nobody', 'GET', '/version', { headers: { accept: 'application/json' } });
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/^\d+\.\d+\.\d+/);
    expect(Number(answer.text.split('.')[0])).toBeGreaterThanOrEqual(7);
  });

  test('capabilities tell whether inline plans are taken', async () => {
    expect((await as('viewer', 'GET', '/capabilities')).json()).toEqual({ inlineFetchPlans: true });
  });

  test('the OpenAPI document is open and names the paths of every service', async () => {
    const answer = await send('GET', '/rest/docs/openapi.json');
    expect(answer.status).toBe(200);
    const document = answer.json();
    expect(document.openapi).toMatch(/^3\.1/);
    for (const path of [
      '/entities/{entityName}',
      '/entities/{entityName}/{entityId}',
      '/files',
      '/userInfo',
      '/permissions',
    ]) {
      expect(Object.keys(document.paths).some((known) => known.endsWith(path))).toBe(true);
    }
  });
});

describe('CORS (contract entities §7.6)', () => {
  test('a preflight needs no token', async () => {
    const answer = await send('OPTIONS', '/rest/entities/sales_Order', {
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/app\.example\.com)$/);
  });
});
