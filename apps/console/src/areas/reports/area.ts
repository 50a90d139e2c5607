import { IconReport } from '@tabler/icons-react';
import { defineArea } from '../../shell/area.ts';

/** Reports: run them, see their documents, follow runs in the background, and change templates. */
export const reportsArea = defineArea({
  name: 'reports',
  icon: IconReport,
  isShown: ({ rights }) => rights.may('report_Report', 'read') && rights.has('reports.rest.enabled'),
  pages: [
    { path: '/', load: async () => (await import('./reports-page.tsx')).ReportsPage },
    { path: 'wizard', load: async () => (await import('./wizard/wizard-page.tsx')).WizardPage },
    { path: 'runs', load: async () => (await import('./runs/runs-page.tsx')).RunsPage },
    { path: 'deliveries', load: async () => (await import('./deliveries/deliveries-page.tsx')).DeliveriesPage },
    { path: 'deliveries/new', load: async () => (await import('./deliveries/delivery-page.tsx')).DeliveryPage },
    { path: 'deliveries/$delivery', load: async () => (await import('./deliveries/delivery-page.tsx')).DeliveryPage },
    {
      path: '$report/definition',
      load: async () => (await import('./definition/definition-page.tsx')).DefinitionPage,
    },
    { path: '$report', load: async () => (await import('./report-page.tsx')).ReportPage },
  ],
  commands: () => [{ id: 'reports:runs', label: { key: 'reports.runs' }, to: 'reports/runs' }],
});
