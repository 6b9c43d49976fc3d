/** What few visitors of the landing see, in one file that is loaded when one of them is needed. */
export { OfflineStation } from './offline-station.tsx';
export { StationMissing } from './station-missing.tsx';
export { StationNotes } from './station-notes.tsx';
