import { IconApi } from '@tabler/icons-react';
import { defineArea } from '../area.ts';

// One chunk for all pages: each further one makes the first load longer.
const pages = () => import('./pages.ts');

/** The API of the running system, as far as the user may call it: read about operations, send requests. */
export const apiArea = defineArea({
  name: 'api',
  icon: IconApi,
  isShown: () => true,
  pages: [
    { path: '/', load: async () => (await pages()).ApiPage },
    { path: 'request', load: async () => (await pages()).RequestPage },
    { path: '$operation', load: async () => (await pages()).OperationPage },
  ],
});
