/** Files of a project stay together: those that run in one process share what it imported. */
export function orderBySeconds<File>(
  files: readonly File[],
  { projectOf, secondsOf }: { projectOf: (file: File) => string; secondsOf: (file: File) => number },
): File[] {
  const projects = [...new Set(files.map(projectOf))];
  const rank = (file: File) => projects.indexOf(projectOf(file));
  return files.toSorted((a, b) => rank(a) - rank(b) || secondsOf(b) - secondsOf(a));
}
