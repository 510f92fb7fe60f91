"""Protections taken away, one for each row of the table in docs/security.md, with the test that must notice.

Where several protections stand behind a row, the mutant takes the one that an attacker would meet first.
"""

from mutant_list import Area, Mutant

SAFETY = Area("safety", (), ())

SAFETY_MUTANTS: dict[int, tuple[Mutant, ...]] = {
    1: (
        Mutant(
            "crowd/access.py",
            "found = membership_in(staff_user(request), slug)",
            "found = membership_in(User(is_superuser=True), slug)",
            "tests/flows/test_access.py::test_every_role_sees_and_does_what_it_may_and_nothing_else",
        ),
        Mutant(
            "crowd/services/members.py",
            "before.role == Role.OWNER and not",
            "before.role == Role.EXPERT and not",
            "crowd/tests/test_members.py::test_the_last_owner_stays",
        ),
    ),
    2: (
        Mutant(
            "crowd/selectors/work.py",
            "pk=assignment_id, worker_id=enrolment.worker_id, round",
            "pk=assignment_id, round",
            "tests/flows/test_access.py::test_a_worker_cannot_touch_the_task_of_another",
        ),
    ),
    3: (
        Mutant(
            "crowd/services/leases.py",
            " or not slot_claim(assignment.item_id, enrolment):\n                raise",
            ":\n                raise",
            "crowd/tests/test_claims.py",
        ),
    ),
    4: (
        Mutant(
            "annotation/settings.py",
            '    "django.middleware.csrf.CsrfViewMiddleware",\n',
            "",
            "tests/flows/test_access.py::test_no_post_is_taken_without_its_token",
        ),
    ),
    5: (
        Mutant(
            "common/templatetags/formatting.py",
            '{"html": False}',
            '{"html": True}',
            "tests/flows/test_security.py::test_what_others_wrote_is_text_on_every_page",
        ),
        Mutant(
            "annotation/settings.py",
            '"script-src": [SELF],',
            "",
            "tests/flows/test_security.py::test_every_answer_forbids_what_the_page_does_not_need",
        ),
    ),
    7: (
        Mutant(
            "corpus/formats/rawdata.py",
            '_BREAKS.sub(" ", text))',
            "text)",
            "corpus/tests/formats/test_every_format.py::test_every_corpus_comes_back_from_every_format",
        ),
    ),
    19: (
        Mutant(
            "compressions/services/submission.py",
            "            return Compression.objects.get(assignment_id=assignment_id)\n",
            "            pass\n",
            "crowd/tests/test_claims.py::test_a_submit_sent_twice_is_stored_once_and_answered_alike",
        ),
    ),
    20: (
        Mutant(
            "crowd/services/leases.py",
            "open_slots__gt=0, is_closed=False",
            "is_closed=False",
            "crowd/tests/test_claims.py",
        ),
    ),
    22: (
        Mutant(
            "common/job_attempts.py",
            "pk=self.job_id, attempts=self.number, state",
            "pk=self.job_id, state",
            "tests/flows/test_stale_jobs.py",
        ),
        Mutant(
            "corpus/services/building.py",
            "        own.name_it()\n",
            "",
            "corpus/tests/release/test_stale_freeze.py",
        ),
        Mutant(
            "common/jobs.py",
            "except (BrokerError, ChannelError, OSError) as error:",
            "except ZeroDivisionError as error:",
            "common/tests/test_jobs.py::test_a_job_that_the_broker_does_not_take_is_announced_at_the_next_look",
        ),
    ),
    23: (
        Mutant(
            "compressions/services/submission.py",
            "    with transaction.atomic():\n",
            "    if True:\n",
            "tests/flows/test_full_disk.py",
        ),
        Mutant(
            "corpus/release/folder.py",
            "            stream.discard()\n",
            "            stream.close()\n",
            "corpus/tests/release/test_freeze_pins.py::test_files_that_find_no_room_leave_no_folder",
        ),
        Mutant(
            "annotation/file_queue.py",
            "unfinished.unlink(missing_ok=True)",
            "unfinished.exists()",
            "annotation/tests/test_file_queue.py::test_a_message_for_which_there_is_no_room_leaves_no_file",
        ),
    ),
    24: (
        Mutant(
            "corpus/release/table_readers.py",
            'filter(pk__lte=self.tables.last_rows["compressions"])',
            "all()",
            "corpus/tests/release/test_freeze_pins.py::test_what_comes_after_a_release_was_made_does_not_come_in",
        ),
    ),
    9: (
        Mutant(
            "crowd/access.py",
            "return found is not None and found.role in MANAGERS",
            "return True",
            "annotation/tests/test_body_limits.py::test_no_address_reads_more_than_it_accepts",
        ),
        Mutant(
            "annotation/failures.py",
            "if length > STRANGERS_BYTES and",
            "if length > 10**18 and",
            "annotation/tests/test_body_limits.py::test_an_address_of_nothing_reads_no_more",
        ),
        Mutant(
            "annotation/failures.py",
            'if request.META.get("HTTP_TRANSFER_ENCODING"):',
            "if False:",
            "annotation/tests/test_body_limits.py::test_a_body_without_a_length_is_refused",
        ),
    ),
    13: (
        Mutant(
            "crowd/accounts/login.py",
            "            login_attempt_take(self.attempt)",
            "            pass",
            "crowd/accounts/tests/test_login.py::test_thirty_guesses_from_one_address_are_soon_refused",
        ),
        Mutant(
            "crowd/accounts/login.py",
            "    rate_limit_take(ACCOUNT, attempt.account)\n",
            "",
            "crowd/accounts/tests/test_login.py::test_guesses_from_ever_new_addresses_are_bounded_by_account",
        ),
        Mutant(
            "crowd/views/join.py",
            "        take_guess(request)",
            "        pass",
            "crowd/tests/test_limits.py::test_addresses_of_links_cannot_be_guessed_at_will",
        ),
    ),
    14: (
        Mutant(
            "crowd/limits.py",
            "rate_limit_take(limit_of(act), enrolment.pk)",
            "pass",
            "crowd/tests/test_limits.py::test_a_hundred_claims_in_a_second_are_refused_and_others_unharmed",
        ),
        Mutant(
            "crowd/views/join.py",
            "    if held is None:\n        take_join(request, link)",
            "    if held is None:\n        pass",
            "crowd/tests/test_limits.py::test_one_address_makes_no_crowd_of_its_own",
        ),
        Mutant(
            "crowd/services/leases.py",
            "return min(now + timedelta(minutes=campaign.lease_minutes), begun + longest_hold(campaign))",
            "return max(now, begun) + timedelta(minutes=campaign.lease_minutes)",
            "crowd/tests/test_claims.py::test_renewing_does_not_keep_a_text_for_ever",
        ),
        Mutant(
            "common/jobs.py",
            "    _refuse_greed(campaign_id, user)\n",
            "",
            "common/tests/test_jobs.py::test_the_unfinished_jobs_of_a_campaign_are_bounded",
        ),
    ),
    15: (
        Mutant(
            "crowd/sessions.py",
            "httponly=True",
            "httponly=False",
            "crowd/tests/test_browsers.py::test_the_cookie_is_kept_from_scripts_and_stored_as_a_hash",
        ),
        Mutant(
            "crowd/accounts/login.py",
            "        httponly=True,",
            "        httponly=False,",
            "crowd/accounts/tests/test_login.py::test_no_cookie_of_staff_can_be_read_or_sent_in_clear",
        ),
    ),
    16: (
        Mutant(
            "crowd/accounts/login.py",
            '    template_name = "crowd/accounts/login.html"\n',
            '    template_name = "crowd/accounts/login.html"\n\n    def get_redirect_url(self) -> str:\n'
            '        return str(self.request.POST.get("next", ""))\n',
            "crowd/accounts/tests/test_login.py::test_no_address_of_others_is_gone_to",
        ),
    ),
    21: (
        Mutant(
            "crowd/services/claims.py",
            "from common.clock import database_now\n",
            "from django.utils.timezone import now as database_now\n",
            "crowd/tests/test_claims.py::test_the_place_of_a_lease_that_ran_out_goes_to_the_next_person",
        ),
    ),
    26: (
        Mutant(
            "annotation/gunicorn_conf.py",
            '"annotation.web_worker.PatientWorker"',
            '"gthread"',
            "tests/front/test_web_worker.py::test_requests_that_are_half_sent_leave_the_threads_to_others",
        ),
        Mutant(
            "annotation/web_worker.py",
            "each.deadline <= now or ",
            "",
            "tests/front/test_web_worker.py::test_slow_connections_end",
        ),
    ),
    27: (
        Mutant(
            "crowd/services/browsers.py",
            "        raise OtherBrowser(enrolment)",
            "        return",
            "crowd/tests/test_browsers.py::test_an_id_from_another_browser_gets_neither_task_nor_code",
        ),
        Mutant(
            "crowd/views/join.py",
            "    return enrolled if is_held else None",
            "    return enrolled",
            "crowd/tests/test_browsers.py::test_before_consent_nobody_learns_whether_an_id_takes_part",
        ),
        Mutant(
            "crowd/signing_keys.py",
            '"verify_aud": False,',
            '"verify_aud": False, "verify_signature": False,',
            "crowd/tests/test_signed_ids.py::test_a_token_altered_anywhere_is_refused",
        ),
    ),
    8: (
        Mutant(
            "scoring/readers.py",
            "read_dictionary=texts",
            "read_dictionary=[]",
            "scoring/tests/test_reader_bounds.py::test_a_few_bytes_that_stand_for_gigabytes_are_refused_in_flat_memory",
        ),
        Mutant(
            "corpus/release_import/reading.py",
            "except RecursionError as error:",
            "except ZeroDivisionError as error:",
            "corpus/tests/release_import/test_release_bounds.py::test_what_is_nested_too_deeply_is_refused",
        ),
    ),
    28: (
        Mutant(
            "compressions/readers.py",
            "position = stacked_marks(text)",
            "position = None if text else stacked_marks(text)",
            "corpus/tests/formats/test_rawdata_bounds.py::test_what_would_cost_much_is_refused_by_line_and_the_others_are_read",
        ),
        Mutant(
            "corpus/formats/rawdata_reader.py",
            "known.judges.update(dict.fromkeys(part.judges))",
            "known.judges = dict.fromkeys((*known.judges, *part.judges))",
            "corpus/tests/formats/test_rawdata_bounds.py::test_twice_as_many_parts_of_the_same_text_are_about_twice_the_work",
        ),
        Mutant(
            "compressions/readers.py",
            "match[0] if match.end() - match.start() <= MAX_LINE_BYTES else None",
            "match[0]",
            "scoring/tests/test_reader_bounds.py::test_a_line_that_would_cost_much_is_refused",
        ),
    ),
    6: (
        Mutant(
            "common/spreadsheets.py",
            'UNSEEN = "ZCM"',
            'UNSEEN = "Z"',
            "corpus/tests/formats/test_every_format_tables.py::test_no_cell_begins_a_formula_whatever_stands_before_its_sign",
        ),
    ),
    10: (
        Mutant(
            "common/stores/folder.py",
            " or path.resolve() != Path(self.location).resolve() / name",
            "",
            "tests/flows/test_every_download.py::test_a_file_that_was_replaced_by_a_link_is_not_sent",
        ),
    ),
    11: (
        Mutant(
            "common/spreadsheets.py",
            "import csv\n",
            "import csv\nimport urllib.request\n",
            "tests/flows/test_no_fetching.py::test_no_room_has_a_client_of_the_network",
        ),
    ),
    12: (
        Mutant(
            "annotation/middleware.py",
            '{"sandbox": True}',
            "{}",
            "tests/flows/test_every_download.py::test_every_answer_that_is_no_page_is_a_download_in_a_sandbox",
        ),
    ),
    17: (
        Mutant(
            "annotation/middleware.py",
            " and may_be_framed(match.func)",
            "",
            "tests/flows/test_framing.py::test_platforms_frame_the_pages_of_participants_and_no_others",
        ),
    ),
    18: (
        Mutant(
            "measures/text/odd_texts.py",
            "        if control in _OVERRIDES:",
            "        if not control:",
            "measures/text/tests/test_disguise.py::test_disguises",
        ),
        Mutant(
            "measures/text/length_rule.py",
            "return None if stacked_at is None else (Reason.STACKED_MARKS, stacked_at)",
            "return None",
            "measures/text/tests/test_length_rule.py::test_verdicts_built_by_hand",
        ),
    ),
    25: (
        Mutant(
            "annotation/start_checks.py",
            "    if _is_guessable(secret):",
            "    if not secret:",
            "annotation/tests/test_settings.py::test_a_public_installation_without_safety_does_not_start",
        ),
    ),
    29: (
        Mutant(
            "common/private_files.py",
            "    os.umask(OTHERS)",
            "    os.umask(0o022)",
            "common/tests/test_private_files.py::test_what_the_app_writes_is_private",
        ),
        Mutant(
            "annotation/logs.py",
            'QUERY.sub("?…", UNREADABLE.sub(r"\\1 …", message))',
            'UNREADABLE.sub(r"\\1 …", message)',
            "annotation/tests/test_logs.py::test_the_web_server_prints_nothing_about_people",
        ),
        Mutant(
            "annotation/settings.py",
            '            "PRAGMA secure_delete=ON;"',
            '            ""',
            "corpus/tests/erasure/test_erased_bytes.py::test_what_is_deleted_without_an_erasure_is_overwritten_as_well",
        ),
    ),
    30: (
        Mutant(
            "common/outgoing/client.py",
            "    if not receiver.is_inside and not all(is_public(each) for each in found):",
            "    if not receiver.is_inside and not found:",
            "common/outgoing/tests/test_client.py::test_a_name_that_leads_inside_is_not_called",
        ),
        Mutant(
            "common/outgoing/client.py",
            '"host": self._address, ',
            '"host": name, ',
            "common/outgoing/tests/test_client.py::test_the_connection_goes_to_the_address_that_was_checked",
        ),
        Mutant(
            "common/outgoing/client.py",
            "receiver = target and receiver_of(target, receivers)",
            "receiver = target and Receiver(target.scheme, target.host, target.port, is_inside=True)",
            "common/outgoing/tests/test_client.py::test_a_host_that_is_not_listed_is_not_called",
        ),
    ),
    31: (
        Mutant(
            "common/api/operations.py",
            "    if faults := too_long(checked, data):\n        raise ValidationError(faults)\n",
            "",
            "tests/flows/test_body_costs.py::test_no_body_costs_much_whatever_is_in_it",
        ),
        Mutant(
            "common/api/problems.py",
            "in found[:MOST_FAULTS]",
            "in found",
            "common/api/tests/test_problems.py::test_at_most_twenty_faults_are_named",
        ),
    ),
    32: (
        Mutant(
            "compressions/services/drafts.py",
            "        writer_lock(assignment.worker_id)\n",
            "",
            "corpus/tests/erasure/test_late_writes.py::test_what_an_editor_began_before_the_erasure_is_not_stored_after_it",
        ),
        Mutant(
            "corpus/services/erasure.py",
            "enrolments.filter(outcome=Outcome.WORKING)",
            "enrolments.all()",
            "corpus/tests/erasure/test_erasure_texts.py::test_what_was_owed_stays_known",
        ),
    ),
    33: (
        Mutant(
            "crowd/public_address.py",
            "return origin if settings.PUBLIC else ",
            "return ",
            "crowd/accounts/tests/test_account.py::test_the_link_of_a_reset_leads_home_whatever_host_was_asked_for",
        ),
    ),
    34: (
        Mutant(
            "crowd/services/campaigns.py",
            "        campaign_bound(owner)\n",
            "        pass\n",
            "crowd/tests/test_account_bounds.py::test_an_account_that_an_invitation_made_creates_no_campaign",
        ),
        Mutant(
            "compressions/services/file_imports.py",
            "        upload_take(user, len(record.content))\n",
            "        pass\n",
            "crowd/tests/test_account_bounds.py::test_an_account_uploads_so_much_in_a_day",
        ),
        Mutant(
            "common/jobs.py",
            "served.get(each[0], never), each[1]",
            "each[1]",
            "crowd/tests/test_account_bounds.py::test_those_who_ask_for_jobs_take_turns",
        ),
    ),
    35: (
        Mutant(
            "common/periodic.py",
            "        _note(task.__name__)\n",
            "",
            "maintenance/tests/test_maintenance.py::test_periodic_work_that_is_done_is_noted_about_once_a_minute_and_what_fails_is_not",
        ),
    ),
}
