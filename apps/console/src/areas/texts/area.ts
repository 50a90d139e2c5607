import { IconLanguage } from '@tabler/icons-react';
import { defineArea } from '../../shell/area.ts';

/** The texts of the application: captions in each language, and those that are missing. */
export const textsArea = defineArea({
  name: 'texts',
  icon: IconLanguage,
  isShown: ({ rights }) => rights.may('sys_Message', 'read'),
  pages: [{ path: '/', load: async () => (await import('./captions-page.tsx')).CaptionsPage }],
});
