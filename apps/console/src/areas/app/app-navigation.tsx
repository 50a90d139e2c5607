import { useLanguage, useRights } from '../../context.ts';
import { localText } from '../../extension/local-text.ts';
import { shownPages } from '../../extension/shown-pages.ts';
import { useExtension } from '../../extension/use-extension.ts';
import { PageLinks } from '../../shell/page-links.tsx';

/** The pages of the extension in the navigation. */
export function AppNavigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const { locale } = useLanguage();
  const { parts } = useExtension();
  const pages = shownPages(parts, useRights()).map(({ path, title }) => ({ path, name: localText(title, locale) }));
  return <PageLinks area="app" pages={pages} onNavigate={onNavigate} />;
}
