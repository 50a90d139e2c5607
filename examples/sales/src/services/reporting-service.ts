import { type ServiceContext, serviceComponent } from '@lintel/application';

/** Exposed by `rest-services.xml`, which holds the types of the parameters. */
export const ReportingService = serviceComponent('sales_ReportingService', {
  /** Numbers of orders by status, of those that the caller may see: `{"status": "NEW"}` asks for one alone. */
  async statistics(
    { params }: { readonly params: Readonly<Record<string, unknown>> | null },
    { data }: ServiceContext,
  ) {
    const asked = params?.['status'];
    const statuses = asked === undefined ? ['NEW', 'CONFIRMED', 'SHIPPED', 'CLOSED'] : [String(asked)];
    const counts = await Promise.all(
      statuses.map(async (status) => [
        status,
        await data.count('sales_Order', {
          filter: { conditions: [{ property: 'status', operator: '=', value: status }] },
        }),
      ]),
    );
    return { params, orders: Object.fromEntries(counts) as Readonly<Record<string, number>> };
  },

  sum: ({ a, b, c = 0 }: { readonly a: number; readonly b: number; readonly c?: number }) => a + b + c,
});
