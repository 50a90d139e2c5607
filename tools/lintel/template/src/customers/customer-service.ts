import { restMethod, service, t } from '@lintel/application';

/** `GET /rest/services/sample_Customers/greeting?id=…`: reads under the rights of its caller. */
export const customerService = service('sample_Customers', {
  greeting: restMethod({ params: { id: t.uuid }, returns: t.string }, async ({ id }, { data }) => {
    const customer = await data.load('sample_Customer', id);
    return customer === undefined ? null : greetingFor(String(customer['name']));
  }),
});

/** What a letter to the customer begins with. */
export const greetingFor = (name: string): string => `Dear ${name.trim()},`;
