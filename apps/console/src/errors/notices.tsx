import { Notifications } from '@mantine/notifications';
import '@mantine/core/styles/Notification.css';
import '@mantine/notifications/styles.css';

/** Where messages are shown. */
export const Notices = () => <Notifications position="bottom-right" />;
