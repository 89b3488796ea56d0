/** Makes the database what it was before the queue had its own table. */
export const WITHOUT_JOBS = `
  drop table jobs;
  create table sweep_cursors (name text primary key);
  create index sign_ins_to_mail on sign_ins (id) where mail_owed;
`;
