import { addTextFiles } from './i18n.ts';

/** The texts of the back office; imported by the declarations of its pages. */
addTextFiles(import.meta.glob('./texts/*/{admin*,integrations,network*}.json', { import: 'default' }));
