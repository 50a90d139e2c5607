import { Alert, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useLanguage, useRights } from '../../context.ts';
import { ErrorBoundary } from '../../errors/error-boundary.tsx';
import { Pending } from '../../errors/pending.tsx';
import { localText } from '../../extension/local-text.ts';
import { shownPages } from '../../extension/shown-pages.ts';
import { useExtension } from '../../extension/use-extension.ts';

/** All pages of the extension. */
export function ExtensionPages() {
  const { text, locale } = useLanguage();
  const { parts, isPending, error } = useExtension();
  const pages = shownPages(parts, useRights());
  return (
    <Stack>
      <Title order={1}>{text('app.title')}</Title>
      {(error !== null || isPending) && <Pending error={error} />}
      {!isPending && error === null && pages.length === 0 && <Text>{text('app.noPage')}</Text>}
      {pages.map(({ path, title }) => (
        <UnstyledButton key={path} component={Link} to={`/app/${path}`}>
          <Text fw={500}>{localText(title, locale)}</Text>
        </UnstyledButton>
      ))}
    </Stack>
  );
}

/** One page of the extension; an error of it is shown in its area only. */
export function OpenExtensionPage() {
  const { page: path = '' } = useParams({ strict: false }) as { readonly page?: string };
  const { text } = useLanguage();
  const { parts, isPending, error } = useExtension();
  const page = shownPages(parts, useRights()).find((each) => each.path === path);
  if (error !== null || isPending) return <Pending error={error} />;
  if (page === undefined) return <Alert color="yellow">{text('app.unknownPage', { name: path })}</Alert>;
  const { component: Content } = page;
  return (
    <ErrorBoundary key={path}>
      <Content />
    </ErrorBoundary>
  );
}
