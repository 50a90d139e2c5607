const READABLE = ['order', 'order_line', 'customer', 'product'];
const WRITABLE = ['order', 'order_line'];

/** Maximum time in which requests are repeated. */
const BUSY_MS = 60_000;
const RETRY_MS = 500;

interface Made {
  readonly id: string;
}

/**
 * Makes the tables collections with their relations of lines and orders, and a user with permissions for them.
 *
 * @returns the static token of the user
 */
export async function setUpDirectus(url: string, adminToken: string, token: string): Promise<string> {
  const send = async (method: string, path: string, body: object): Promise<Made> => {
    const deadline = performance.now() + BUSY_MS;
    for (;;) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (response.ok) return (JSON.parse(text) as { readonly data: Made }).data;
      // Its pressure limiter refuses requests while it starts on a busy machine.
      if (response.status !== 503 || performance.now() > deadline)
        throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  for (const collection of READABLE) await send('PATCH', `/collections/${collection}`, { meta: { hidden: false } });
  const relate = async (one: string, field: string, reference: string): Promise<void> => {
    const meta = { special: ['o2m'], interface: 'list-o2m' };
    await send('POST', `/fields/${one}`, { field, type: 'alias', meta });
    await send('PATCH', `/relations/${reference}`, { meta: { one_field: field } });
  };
  await relate('order', 'lines', 'order_line/order_id');
  await relate('customer', 'orders', 'order/customer_id');
  const permissions = (collections: readonly string[], actions: readonly string[]) =>
    collections.flatMap((collection) =>
      actions.map((action) => ({ collection, action, fields: ['*'], permissions: {}, validation: {} })),
    );
  const policy = await send('POST', '/policies', {
    name: 'Orders',
    permissions: [...permissions(READABLE, ['read']), ...permissions(WRITABLE, ['create', 'update'])],
  });
  const role = await send('POST', '/roles', { name: 'Orders', policies: [{ policy: policy.id }] });
  await send('POST', '/users', { email: 'bench@example.com', password: token, role: role.id, token });
  return token;
}
