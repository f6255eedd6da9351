"""All tables at once, for a database that is made anew: what the migrations that it replaces come to.

Of their other steps none is here, since they are about rows that were there. A database that has been through some of
those migrations goes on by them; they stay, and are never changed.
"""

from django.conf import settings
from django.db import migrations

from clubs.migrations._at_once import CreateAll
from tournaments.migrations.as_of_0084 import club, events, kept, play, season


class Migration(migrations.Migration):

    replaces = [
        ('tournaments', '0001_initial'),
        ('tournaments', '0002_club_rules'),
        ('tournaments', '0003_tables_of_two_to_five'),
        ('tournaments', '0004_ways_to_draw'),
        ('tournaments', '0005_money'),
        ('tournaments', '0006_photographs'),
        ('tournaments', '0007_pairs_and_teams'),
        ('tournaments', '0008_team_seasons'),
        ('tournaments', '0009_match_points_are_checked'),
        ('tournaments', '0010_seasons_and_championships'),
        ('tournaments', '0011_boards'),
        ('tournaments', '0012_team_links'),
        ('tournaments', '0013_removed_seasons_and_team_origins'),
        ('tournaments', '0014_begins_at'),
        ('tournaments', '0015_prize_amounts'),
        ('tournaments', '0016_called_off'),
        ('tournaments', '0017_namesakes'),
        ('tournaments', '0018_seats_change_in_play'),
        ('tournaments', '0019_said_when_shown'),
        ('tournaments', '0020_hands_taken_over_in_teams'),
        ('tournaments', '0021_penalties_in_match_points'),
        ('tournaments', '0022_calls_have_keys'),
        ('tournaments', '0023_chain'),
        ('tournaments', '0024_sheets_on_paper'),
        ('tournaments', '0025_byes_as_drawn'),
        ('tournaments', '0026_sheets_are_jobs'),
        ('tournaments', '0027_kept_results'),
        ('tournaments', '0028_ratings_have_a_version'),
        ('tournaments', '0029_posted_standings'),
        ('tournaments', '0030_round_clock'),
        ('tournaments', '0031_what_the_wall_shows'),
        ('tournaments', '0032_sums_of_deals'),
        ('tournaments', '0033_prizes_in_kind'),
        ('tournaments', '0034_feats_of_evenings'),
        ('tournaments', '0035_ratings_have_a_model'),
        ('tournaments', '0036_kept_years'),
        ('tournaments', '0037_old_results'),
        ('tournaments', '0038_results_not_kept_yet'),
        ('tournaments', '0039_printed_sheets'),
        ('tournaments', '0040_journal'),
        ('tournaments', '0041_newest_first'),
        ('tournaments', '0042_entering_from_home'),
        ('tournaments', '0043_merged_people_and_parts_of_years'),
        ('tournaments', '0044_announced_changes'),
        ('tournaments', '0045_told_results'),
        ('tournaments', '0046_phones_that_are_told'),
        ('tournaments', '0047_sheet_pictures'),
        ('tournaments', '0048_lists_for_the_door'),
        ('tournaments', '0049_how_phones_were_told'),
        ('tournaments', '0050_what_is_looked_for_by_the_clock'),
        ('tournaments', '0051_empty_chairs'),
        ('tournaments', '0052_places_in_divisions'),
        ('tournaments', '0053_least_share'),
        ('tournaments', '0054_even_threes_and_rankings'),
        ('tournaments', '0055_register'),
        ('tournaments', '0056_halves_in_old_results'),
        ('tournaments', '0057_reports_of_programs'),
        ('tournaments', '0058_folder_analyses'),
        ('tournaments', '0059_held_by'),
        ('tournaments', '0060_same_cards_in_standings'),
        ('tournaments', '0061_wording'),
        ('tournaments', '0062_season_deals'),
        ('tournaments', '0063_chained_affiliations'),
        ('tournaments', '0064_ratings_in_two_copies'),
        ('tournaments', '0065_leagues_at_home'),
        ('tournaments', '0066_points_lists'),
        ('tournaments', '0067_player_merges'),
        ('tournaments', '0068_statements'),
        ('tournaments', '0069_erasure_proposals'),
        ('tournaments', '0070_hand_over'),
        ('tournaments', '0071_statements_of_any_sum'),
        ('tournaments', '0072_quotas'),
        ('tournaments', '0073_suit_of_the_evening'),
        ('tournaments', '0074_team_entries'),
        ('tournaments', '0075_officials'),
        ('tournaments', '0076_halls'),
        ('tournaments', '0077_objections'),
        ('tournaments', '0078_round_mail'),
        ('tournaments', '0079_journeys_alike'),
        ('tournaments', '0080_imported_at'),
        ('tournaments', '0081_evening_places'),
        ('tournaments', '0082_officials_of_a_hall'),
        ('tournaments', '0083_qualifier_questions'),
        ('tournaments', '0084_rulings_back_and_dissolved'),
    ]

    initial = True

    dependencies = [
        ('clubs', '0028_birth_year'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [CreateAll(*events.TABLES, *play.TABLES, *kept.TABLES, *season.TABLES, *club.TABLES)]
