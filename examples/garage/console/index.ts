import type { ConsoleExtension } from '@lintel/react/console';
import { JOB_ACTIONS } from './job-actions.ts';
import { createTyreTreadField } from './tyre-tread-field.tsx';
import { createWaitingColumn } from './waiting-column.tsx';
import { createWorkshopPage } from './workshop-page.tsx';

/** What the garage adds to the console. The imports of packages are types alone, so nothing has to be bundled. */
const extension: ConsoleExtension = (host) => ({
  pages: [
    {
      path: 'workshop',
      title: { en: 'Workshop', de: 'Werkstatt' },
      isShown: (rights) => rights.may('garage_Job', 'read'),
      component: createWorkshopPage(host),
    },
  ],
  columns: [createWaitingColumn(host)],
  fields: [{ entity: 'garage_Job', attribute: 'measurements', component: createTyreTreadField(host) }],
  actions: JOB_ACTIONS,
});
export default extension;
