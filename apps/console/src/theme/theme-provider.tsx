import { createTheme, localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { pageNonce } from './page-nonce.ts';

const theme = createTheme({
  primaryColor: 'indigo',
  // Both have the contrast of WCAG AA with their text.
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // The page has one button in the colour of the theme: what it is for.
    Button: { defaultProps: { variant: 'default' } },
    ActionIcon: { defaultProps: { variant: 'default' } },
    // A state in words: as texts are written, and not cut in a narrow table.
    Badge: { defaultProps: { variant: 'dot', tt: 'none', fw: 500, miw: 'max-content' } },
    // What is chosen already stays chosen when it is chosen again.
    Select: { defaultProps: { allowDeselect: false } },
    // An opened menu has the focus on its first item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  },
  // The titles of a page and of its parts are as large as the kit's second and fourth level.
  headings: {
    sizes: { h1: { fontSize: '1.625rem', lineHeight: '1.35' }, h2: { fontSize: '1.125rem', lineHeight: '1.45' } },
  },
});

const schemes = localStorageColorSchemeManager({ key: 'lintel-console.colors' });

interface ThemeProviderProps {
  readonly children: ReactNode;
}

/** Colours, light or dark as the user has chosen, else as the device has them. */
export const ThemeProvider = ({ children }: ThemeProviderProps) => (
  <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={schemes} getStyleNonce={() => pageNonce}>
    {children}
  </MantineProvider>
);
