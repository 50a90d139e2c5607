import { Stack, Title } from '@mantine/core';
import { type Model, useModel, useText } from '../context.ts';
import { PageCards } from '../controls/page-cards.tsx';
import { PageLinks, type PageLinksProps } from './page-links.tsx';

/** The pages of an area that the user may use. */
export type Menu = (model: Pick<Model, 'rights'>) => readonly string[];

interface MenuProps {
  readonly area: string;
  readonly menu: Menu;
}

/** The first page of an area: its pages, each with the text `<area>.<page>.about`. */
function FirstPage({ area, menu }: MenuProps) {
  const text = useText();
  const pages = menu(useModel()).map((page) => ({
    to: `/${area}/${page}`,
    name: text(`${area}.${page}`),
    about: text(`${area}.${page}.about`),
  }));
  return (
    <Stack>
      <Title order={1}>{text(`area.${area}`)}</Title>
      <PageCards pages={pages} />
    </Stack>
  );
}

function MenuLinks({ area, menu, ...links }: MenuProps & Pick<PageLinksProps, 'partOf' | 'onNavigate'>) {
  const text = useText();
  const pages = menu(useModel()).map((path) => ({ path, name: text(`${area}.${path}`) }));
  return <PageLinks area={area} pages={pages} {...links} />;
}

/** The first page and the navigation of an area; the texts `<area>.<page>` are the names of its pages. */
export const menuOf = (menu: MenuProps & Pick<PageLinksProps, 'partOf'>) => ({
  firstPage: () => <FirstPage {...menu} />,
  navigation: ({ onNavigate }: Pick<PageLinksProps, 'onNavigate'>) => <MenuLinks {...menu} onNavigate={onNavigate} />,
});
