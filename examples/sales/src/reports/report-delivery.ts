import { mail } from '@lintel/application';

/** Carries the documents of reports that users have on a schedule. */
export const reportDelivery = mail('report-delivery', {
  templates: {
    en: { subject: '{{ name }}', text: '{{ document }} is attached.\n' },
    de: { subject: '{{ name }}', text: '{{ document }} ist angehängt.\n' },
  },
  example: { name: 'Sales of the week', document: 'sales-by-customer.csv' },
});
