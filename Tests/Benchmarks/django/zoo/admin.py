from django.contrib import admin

from .models import Animal, AnimalCategory


@admin.register(Animal)
class AnimalAdmin(admin.ModelAdmin):
    list_display = ["name", "diet", "category"]
    list_select_related = ["category"]
    list_per_page = 50
    search_fields = ["name__startswith"]
    list_filter = ["diet"]
    # As its documentation advises for long lists: no second count of all records.
    show_full_result_count = False
    ordering = ["name", "id"]


admin.site.register(AnimalCategory)
