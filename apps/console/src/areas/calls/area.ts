import { IconPlayerPlay } from '@tabler/icons-react';
import { defineArea } from '../../shell/area.ts';

// One chunk for all pages: each further one makes the first load longer.
const pages = () => import('./pages.ts');

/** Predefined queries and service methods: forms by the types of their parameters, and their results. */
export const callsArea = defineArea({
  name: 'calls',
  icon: IconPlayerPlay,
  isShown: ({ rights }) => rights.has('rest.enabled'),
  pages: [
    { path: '/', load: async () => (await pages()).CallsPage },
    { path: 'runs', load: async () => (await pages()).CallRunsPage },
    { path: 'queries/$entity/$query', load: async () => (await pages()).QueryPage },
    { path: 'services/$service/$method', load: async () => (await pages()).MethodPage },
  ],
  commands: () => [{ id: 'calls:runs', label: { key: 'calls.runs' }, to: 'calls/runs' }],
});
