import type { ConsoleComponents } from '@lintel/react/console';
import { Button, Stack, Textarea, Title } from '@mantine/core';
import { ChoiceField, TextField } from '../../controls/forms.tsx';
import { TextLink } from '../../controls/texts.tsx';
import { ErrorAlert, Waiting } from '../../errors/pending.tsx';
import { DataTable } from '../../table/data-table.tsx';

const ROWS = 4;

/** The components that extensions get, by those of the kit. */
export const HOST_COMPONENTS: ConsoleComponents = {
  Page: ({ title, children }) => (
    <Stack>
      <Title order={1}>{title}</Title>
      {children}
    </Stack>
  ),
  Button: ({ children, onClick, isSecondary = false, isBusy = false, isDisabled = false }) => (
    <Button variant={isSecondary ? 'default' : 'filled'} loading={isBusy} disabled={isDisabled} onClick={onClick}>
      {children}
    </Button>
  ),
  Link: ({ to, children }) => <TextLink to={to}>{children}</TextLink>,
  Table: ({ label, columns, rows }) => (
    <DataTable
      label={label}
      rows={rows}
      keyOf={({ key }) => key}
      columns={columns.map((caption, at) => ({ caption, cell: ({ cells }: (typeof rows)[number]) => cells[at] }))}
    />
  ),
  TextField({ label, value, onChange, error, isReadOnly = false, isRequired = false, isMultiline = false }) {
    const common = { label, value, error, readOnly: isReadOnly, withAsterisk: isRequired };
    return isMultiline ? (
      <Textarea {...common} rows={ROWS} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
    ) : (
      <TextField {...common} onChange={onChange} />
    );
  },
  SelectField: ({ label, value, onChange, options, error, isReadOnly = false, isRequired = false }) => (
    <ChoiceField
      label={label}
      value={value}
      error={error}
      disabled={isReadOnly}
      withAsterisk={isRequired}
      data={[...options]}
      onChange={onChange}
    />
  ),
  ErrorNotice: ({ error, onRetry }) => <ErrorAlert error={error} onRetry={onRetry} />,
  Waiting,
};
