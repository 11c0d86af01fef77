// Statistics for the planner, after a test has stored many rows by one statement.
import type pg from 'pg'

/**
 * Takes the statistics of records and events as they are now. Those that autovacuum takes while one
 * statement stores 50,000 records know none of them: for a minute a record is then looked up
 * through all records of its provider, and 50,000 lookups take more than ten minutes.
 */
export const takeStatistics = async (pool: pg.Pool): Promise<void> => {
  await pool.query('ANALYZE record, record_version, event, event_code')
}
