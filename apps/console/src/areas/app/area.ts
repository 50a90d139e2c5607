import { IconPuzzle } from '@tabler/icons-react';
import { defineArea } from '../../shell/area.ts';

/** The pages of the extension of the application. */
export const appArea = defineArea({
  name: 'app',
  icon: IconPuzzle,
  isShown: ({ settings }) => settings.extension !== undefined,
  hasOwnStyles: true,
  pages: [
    { path: '/', load: async () => (await import('./extension-pages.tsx')).ExtensionPages },
    { path: '$page', load: async () => (await import('./extension-pages.tsx')).OpenExtensionPage },
  ],
  laterCommands: async (context) => (await import('./extension-commands.ts')).extensionCommands(context),
  navigation: async () => (await import('./app-navigation.tsx')).AppNavigation,
});
