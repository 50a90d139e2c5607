import { defineConfig } from 'vitepress';
import { escapeForVue } from '../src/escape-for-vue.ts';
import { anchorOf } from '../src/markdown.ts';
import { readPublication } from '../src/publication.ts';
import { searchDialog } from '../src/search-dialog.ts';
import { searchOptions } from '../src/search-options.ts';
import { sideBars } from '../src/side-bar.ts';

const { base, repository } = readPublication();

export default defineConfig({
  title: 'Lintel',
  description:
    'Describe your data model, roles, queries and reports in TypeScript; Lintel serves them as a secured HTTP API.',
  lang: 'en',
  base,
  srcDir: '.content',
  outDir: 'dist',
  cacheDir: '.cache',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  metaChunk: true,
  ignoreDeadLinks: 'localhostLinks',
  vite: { plugins: [searchDialog()] },
  markdown: {
    anchor: { slugify: anchorOf },
    toc: { slugify: anchorOf },
    headers: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: escapeForVue,
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Tutorials', link: '/tutorials', activeMatch: '^/(tutorials|start|guide/(first-application|testing))' },
      { text: 'How-to', link: '/guide/', activeMatch: '^/guide/(?!first-application|testing)' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/(reference|contract)/' },
      { text: 'Explanation', link: '/explanation' },
    ],
    sidebar: sideBars(),
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { detailedView: true, miniSearch: { searchOptions } } },
    ...(repository === undefined ? {} : { socialLinks: [{ icon: 'github', link: repository }] }),
    docFooter: { prev: 'Previous page', next: 'Next page' },
    footer: { message: 'Apache-2.0' },
  },
});
