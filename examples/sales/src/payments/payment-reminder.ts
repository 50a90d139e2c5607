import { type ApplicationData, job, mail, RestError } from '@lintel/application';

/** Asks for the payment of an order. */
export const paymentReminder = mail('payment-reminder', {
  templates: {
    en: {
      subject: 'Payment of order {{ number }}',
      text: 'Dear {{ name }},\n\nplease pay {{ amount }} for order {{ number }}.\n',
      html: '<p>Dear {{ name }},</p>\n<p>please pay <b>{{ amount }}</b> for order {{ number }}.</p>\n',
    },
    de: {
      subject: 'Zahlung der Bestellung {{ number }}',
      text: 'Guten Tag {{ name }},\n\nbitte zahlen Sie {{ amount }} für die Bestellung {{ number }}.\n',
      html: '<p>Guten Tag {{ name }},</p>\n<p>bitte zahlen Sie <b>{{ amount }}</b> für die Bestellung {{ number }}.</p>\n',
    },
  },
  unsubscribe: 'https://sales.example/reminders/stop?order={{ number | url_encode }}',
  example: { number: '2026-0017', name: 'Amsel GmbH', amount: '1250.00' },
});

const CUSTOMER = ['customer.name', 'customer.email', 'customer.address'];
const WITH_CUSTOMER = { entity: 'sales_Order', properties: ['number', 'status', 'amount', 'attachment', ...CUSTOMER] };
type Customer = { readonly name: string; readonly email?: string; readonly address?: { readonly country?: string } };

/** Sends the reminder of an order that is not paid. Operators retry it once the customer has an e-mail address. */
export const sendReminder = job<{ readonly orderId?: string }>(
  'payment-reminder',
  { as: { resourceRoles: ['sales-manager'] }, overlap: true, retries: 1 },
  async ({ args: { orderId }, data }) => {
    if (orderId === undefined) return;
    const order = await data.load('sales_Order', orderId, { fetchPlan: WITH_CUSTOMER });
    if (order?.['status'] !== 'SHIPPED') return;
    const { name, email, address } = order['customer'] as Customer;
    const number = String(order['number']);
    if (!email) {
      await askForAddress(orderId, number, data.unconstrained());
      throw new RestError(409, 'No e-mail', 'The customer has no e-mail address');
    }
    await data.mails.send('payment-reminder', {
      to: email,
      data: { number, name, amount: order['amount'] },
      key: orderId,
      locale: address?.country === 'DE' ? 'de' : 'en',
      attachments: order['attachment'] ? [{ name: `order-${number}`, fileRef: String(order['attachment']) }] : [],
    });
  },
);

/** Notifies the manager of an order, whose name only users with other roles may read. */
async function askForAddress(id: string, number: string, data: ApplicationData): Promise<void> {
  const fetchPlan = { entity: 'sales_Order', properties: ['manager.username'] };
  const order = await data.load('sales_Order', id, { fetchPlan });
  const { username: to } = (order?.['manager'] ?? {}) as { readonly username?: string };
  if (to === undefined) return;
  const title = { message: 'sales/reminderWithoutAddress', parameters: { number } };
  await data.notifications.send({ to, title, link: { entity: 'sales_Order', id }, key: `reminder ${id}` });
}
