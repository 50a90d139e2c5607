import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { HomePage } from './home-page.ts';
import './style.css';

/** The theme of VitePress, with a layout for the start page. */
const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('home-page', HomePage);
  },
};

export default theme;
